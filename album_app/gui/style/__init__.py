"""How the program looks and speaks.

- design: the design sheet: type sizes, spacing, radii, shadows and motion as named values
- icons: icons: strokes drawn for the program, tinted with a colour of the palette
- theme: light and dark: the palettes, the style sheet made from them, and the theme in use
- wording: what is said about an album and its layout, in the title, in the status bar and in the panel
"""
