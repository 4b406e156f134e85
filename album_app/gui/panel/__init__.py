"""The side panel, one file a section.

- advanced: the Advanced section: the solver's own numbers
- look: the Look section: by what the photos are compared, and how strongly the pins pull
- pins: the Pins section: what is pinned where, and pins by the handful
- quality: the Quality section: how good the sheet is, in numbers and in a small plot
- shape: the Shape section: rows and columns, text, a mask, or one of the drawn shapes
"""
