"""Programs that others wrote, changed at random: forms that no generator has.

    for program in changed_programs(7):
        jit(program.text, entry=program.entry)(*program.arguments)

`changes.py`: what is changed. `forms.py`: which ops are added. `twins.py`: what almost
equal bodies are. `program.py`: whole
programs, their arguments, and which elements of their results are defined.
"""
