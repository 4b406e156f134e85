"""The page: what a sheet looks like and what is drawn where, decided once and before any photo is read.

- settings: what a sheet should look like: colours, the papers and their sizes, and all other settings, checked when
  they are made
- plan: the page plan: how large the page itself (paper, bleed, cut marks) and everything on it are, computed before any
  photo is read
- text_faces: the fonts of text on sheets, and the part of each that a PDF, an SVG or a page embeds
- compose: draws everything on a page in its place, by a painter that only knows how to draw pixels, PDF or SVG
"""
