"""Photos cropped and scaled to the size of their frames, for canvas and tray.

- placeholders: small drawings on the canvas: tiles of photos without a picture, empty cells, the pin badge; and its
  colours
- tile_cache: tiles for the canvas at the size on screen: rough ones at once, sharp ones as background work delivers
  them
- tiles: tiles of the sizes of their frames: cropped and scaled off the GUI thread, so that painting is copying
"""
