"""The page plan: what a sheet looks like and what is drawn where, decided once, before any photo is read.

- settings: what the sheet shall look like: one immutable value, checked when it is made
- papers: sizes a sheet can have: papers in millimetres, screens in pixels, and whatever else a person writes down
- colours: colours by name or number, and the ink that reads well on them
- plan: how large everything on a sheet is, known before a single photo is read
- room: what a paper has room for: within its margins and below its title, how large are so many photos?
- text_faces: the fonts of text on sheets, and the part of each that a PDF, an SVG or a page embeds
- compose: the one place that says what is drawn where; painters (pixels, PDF, SVG) only know how
- time_labels: days, months or years below the columns of a timeline, each in the middle of its stretch
"""
