"""Photos cropped and scaled to the size of their frames, for canvas and tray.

- marks: what is drawn on tiles: pin, star, count of a stack, padlock; and in place of pictures that are not there yet
- tile_cache: tiles for the canvas at the size on screen: rough ones at once, sharp ones as background work delivers
  them
- tiles: tiles of the sizes of their frames: cropped and scaled off the GUI thread, so that painting is copying
"""
