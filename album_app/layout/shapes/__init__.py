"""What the user asks for (a rectangle, a word, a mask, a heart) becomes cells.

A new kind of shape is a row in `shape.KINDS`; a figure that is drawn is made one by `shape.figure`, and the row says
how its cells lie.

- blocks: blocks of cells for large photos: where each finds room, and a sheet with the blocks on it at once
- filled_pages: pages of a book with empty cells: their photos grow until they fill the page
- frames: the rectangles that photos cover on a sheet, and which of them lie next to each other
- lettering: a text in any script as cells
- outlines: circle, ring, heart and others with exactly the wanted number of cells, and masks from dark parts of a
  picture
- pages: pages of a book: equal sheets side by side that are never neighbours of each other across the fold
- rectangles: rows and columns for a number of photos
- shape: a set of cells, and the specification they are made from: in a table of kinds, or in the words of the command
  line
- symmetries: ways to mirror or turn a shape onto itself
"""
