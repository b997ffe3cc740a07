"""What is shown, as values: made from results, turned into text, JSON, CSV and pages elsewhere.

Every figure that a person sees is made here once, so that the terminal, the documents and the pages
cannot disagree. No SQL, no HTML, no terminal.
"""
