"""A text becomes cells: in any script, in any font, with exactly the wanted number of them.

- ink: drawings and masks: the covered share of each cell, pieces, holes, strokes, counters and bays
- letters: a text as signs (letters with their marks, letters that join, emoji), drawn by a font or the built-in
  alphabet
- strokes: from ink to cells: a sign drawn large becomes a few cells with strokes of a wanted width
- typesetting: words become cells: lines of signs, line breaks, letter sizes and stroke widths chosen for the number of
  photos
"""
