"""A text becomes cells: in any script, in any font, with exactly the wanted number of them.

- ink: one piece of something drawn large, its strokes, counters and bays; and drawings taken to pieces
- letters: letters as pictures, from a font or from the built-in alphabet
- signs: a text as signs, each drawn in one go: a letter with its marks, letters that join, an emoji
- strokes: from ink to cells: a sign drawn large becomes a few cells with strokes of a wanted width
- typesetting: words become cells: lines of signs, line breaks, letter sizes and stroke widths chosen for the number of
  photos
- areas: pictures and masks in cells: the covered share of each cell, and the pieces and holes of a mask
- topology: pieces and holes of a mask: cells that share a corner hang together, background must share an edge
"""
