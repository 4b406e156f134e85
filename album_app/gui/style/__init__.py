"""How the program looks and speaks.

- icons: icons: strokes drawn for the program, tinted with a colour of the palette
- palette: the colours of the program: a light and a dark palette of our own
- style_sheet: the style sheet: one text, filled with the colours of a palette
- theme: the look of the program: the palette in use, and one style sheet made from it
- wording: what is said about an album and its layout, in the title, in the status bar and in the panel
"""
