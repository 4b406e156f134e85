"""How the program looks and speaks.

- design: the design sheet: named values for type sizes, distances, radii, shadows and motion
- icons: icons: strokes drawn for the program, tinted with a colour of the palette
- theme: light and dark: the palettes, the style sheet made from them, and the theme in use
- wording: words about an album and its layout, for the title, the status bar and the panel
"""
