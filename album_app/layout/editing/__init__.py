"""Edits of a document: pure functions that take a document and return a new one.

- edits: edits: pure functions that take a document and return a new one
- refit: a sheet that shows a change at once: photos, pins or sizes that changed, on a shape that has room for them
- drops: what dropping photos on a cell means: pin, swap pins, or with Shift swap a photo of the sheet with
  another and pin both; on a held sheet swap without pins; a pure decision
- hold: holding a sheet: nothing on it moves but what the user moves; pure decisions without the solver
- book: the pages of a book: each as a sheet of its own, moved as a whole; the titles of its
  chapters by days, weeks, months or years (`chapter_titles`), and on which pages these begin
- stacks: near-duplicates that count as one photo and show one of them; edits of them, and their list as a CSV
- timeline: time as an axis of a sheet: edits that order photos by date, and the marks along the edge
"""
