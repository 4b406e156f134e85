"""How the program looks and speaks.

- icons: icons: strokes drawn for the program, tinted with a colour of the palette
- style_sheet: the style sheet: one text, filled with the colours of a palette
- theme: the look of the program: a light and a dark palette of our own, and one style sheet made from either
- wording: what is said about an album and its layout, in the title, in the status bar and in the panel
"""
