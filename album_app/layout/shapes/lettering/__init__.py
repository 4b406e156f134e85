"""A text becomes cells: in any script, in any font, with exactly the wanted number of them.

- built_in: letters of the built-in font, the same on every machine, with accents put on by hand
- drawing: drawn large: letters as ink, emoji as solid figures
- ink: one piece of something drawn large, its strokes, counters and bays; and drawings taken to pieces
- letters: signs as ink, drawn large in their fonts, capitals of all fonts equally high
- lines: the lines of a text as signs: which font has each word, where long lines break, what comes first on a line
- page: the page of a text: its signs side by side, its lines under one another, and the last few cells
- signs: a text as signs, each drawn in one go: a letter with its marks, letters that join, an emoji
- strokes: from ink to cells: a sign drawn large becomes a few cells with strokes of a wanted width
- typesetting: a text as exactly the wanted number of cells: which pen, which widths, and whether it can be read
- areas: pictures reduced to cells by area: what share of each cell is covered
- topology: pieces and holes of a mask: cells that share a corner hang together, background must share an edge
"""
