"""What the user asks for (a rectangle, a word, a mask, a heart) becomes cells.

A new kind of shape is a row in `shape.KINDS`; a figure that is drawn is made one by `shape.figure`, and the row says
how its cells lie.

- blocks: blocks of cells for large photos: where each finds room, and a sheet with the blocks on it at once
- frames: the rectangles that photos cover, in sheet units and in pixels, and which of them lie next to each other
- lettering: a text in any script as cells
- outlines: rectangle, circle, heart and others with just the wanted number of cells, and masks from dark parts of a
  picture
- pages: pages of a book: equal sheets side by side, never neighbours across the fold, whose photos grow to fill them
- shape: what a sheet looks like before any photo is on it: a set of cells, and what the user asked for to get it
"""
