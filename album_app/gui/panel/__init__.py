"""The side panel, one module for each section.

- shape: the Shape section: which kind of shape the sheet has, with how many cells, and a small picture of the cells
- shape_fields: what the Shape section asks for each kind of shape: rows and columns, the pages of a book, or a text in
  letters
- look: the Look section: what photos are compared by, and the offer of a better look
- pins: the Pins section: which photos are pinned where, and buttons that pin several photos at once
- time: the Time section: a sheet that flows through time, the weight of time against the look, and marks along the edge
- quality: the Quality section: how good the sheet is, and which photos look out of place
- researchers: the section for researchers: scores, convergence and the parameters of the solver
"""
