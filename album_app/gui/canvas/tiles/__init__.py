"""Photos cropped and scaled to the size of their frames, for canvas and tray.

- marks: what is drawn on tiles: pin, star, count of a stack and padlock; and emblems for photos without a picture
- tile_cache: tiles for the canvas in the sizes on screen: rough ones at once, sharp ones from background work
- tiles: tiles of the sizes of their frames: cropped and scaled off the GUI thread, so that painting is copying
"""
