"""The side panel, one file a section.

- book: what a book asks for in the Shape section: how many pages, and the rows and columns of each
- convergence_plot: a small plot of how the SMI rose on the way to the sheet
- grid: what rows × columns ask for in the Shape section: how many of each, and whether every photo shall have a cell
- lettering: what a text asks for in the Shape section: the words on their lines, the font, weight and spacing
- look: the Look section: by what the photos are compared, and how strongly the pins pull
- look_offer: the quiet offer below the look: compare by content too, once the first sheet stands; nothing moves
  before a click
- misfits: what the Quality section says of photos that look out of place: how many, their pictures, and where they are
- pins: the Pins section: what is pinned where, and pins by the handful
- quality: the Quality section: how good the sheet is, in words and small pictures
- researchers: the section For researchers: what is measured of the sheet, and the solver's own numbers
- score_table: what is measured of a sheet, in numbers and in a small plot: for those who know what they mean
- shape: the Shape section: rows and columns, text, a mask, or one of the drawn shapes
- time: the Time section: a sheet that flows through time, how much time counts beside the look, and marks along the
  edge
"""
