"""What the playground of the documentation site asks, answered as JSON.

Here: a session with one document, and the texts and pages that its tabs show.
Not here: the browser's side (`playground/` at the top of the project), which starts
this in Pyodide; what is known about a document (`editing`).
"""
