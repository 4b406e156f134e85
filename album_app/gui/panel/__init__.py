"""The side panel, one file a section.

- lettering: what a text asks for in the Shape section: the words on their lines, the font, weight and spacing
- look: the section Look: what photos are compared by, and the offer of a better look
- pins: the Pins section: what is pinned where, and pins by the handful
- quality: the section Quality: how good the sheet is, and which photos look out of place
- researchers: the section for researchers: scores, convergence and the parameters of the solver
- shape: the section Shape: rectangle, figure, letters or book, how many cells, and a small picture of them
- time: the Time section: a sheet that flows through time, the weight of time against the look, and marks along the
  edge
"""
