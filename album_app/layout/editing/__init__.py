"""Edits of a document: pure functions that take a document and return a new one.

- edits: what an edit makes of a document: pure functions, each giving the edit by its name
- drops: what dropping photos on a cell means: pin, swap pins, or with Shift swap the photos; a pure decision
- book: the pages of a book: each as a sheet of its own, and moved as a whole
- stacks: near-duplicates that count as one photo and show one of them; edits of them, and their list as a CSV
- participants: which photos take part in the arrangement, which only keep their places, and how many are where
"""
