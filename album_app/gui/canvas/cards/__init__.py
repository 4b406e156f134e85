"""Cards that float over the sheet.

- alternatives: the strip of alternatives: the photos that would suit a cell next best, in words and with a bar; a click
  pins one
- floating_card: a card that floats over the sheet without hiding what it is about; Esc closes it
- photo_button: a photo to click on in a card: framed where it is about to be chosen, ticked where it is the one, words
  below
- proposed_pins: pins that are proposed: ghosts in their cells, and the bar that asks about them
- stack_card: the photos of a stack side by side; a click shows another one on top, and a button takes the stack apart
"""
