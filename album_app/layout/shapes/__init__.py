"""What the user asks for (a rectangle, a word, a mask, a heart) becomes cells.

- areas: pictures reduced to cells by area: what share of each cell is covered
- letters: characters as ink: Pillow's built-in font drawn large, the same on every machine, with accents put on by
  hand
- masks: a picture as a mask: where it is dark there are cells
- outlines: circle, ring, heart, diamond and triangle with exactly the wanted number of cells, mirrored left to right
- shape: what a sheet looks like before any photo is on it: a set of cells, and what the user asked for to get it
- strokes: from ink to cells: a character drawn large becomes a few cells with strokes of a wanted width
- topology: pieces and holes of a mask: cells that share a corner hang together, background must share an edge
- typesetting: a text as exactly the wanted number of cells: which pen, which widths, and the last few cells
"""
