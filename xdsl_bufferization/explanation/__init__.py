"""Why each copy is made and what it costs, as data, and as a page of HTML.

Here: decisions with reasons and remedies, memory over time, comparison of heuristics.
Not here: how the terminal shows an explanation (`tools`).
"""
