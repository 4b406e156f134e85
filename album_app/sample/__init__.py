"""The built-in sample album, drawn by program: the same pictures everywhere.

- brush: what scenes are painted with: noise, colours, light, layers and figures on a float picture in 0..1
- land: scenes of land: mountains, desert, fields, snow, forest, a lone tree
- sample_album: the built-in sample album, drawn by program into the cache on first use; every machine draws identical
  pictures
- things: scenes of things: a city skyline, flowers, fruit, balloons
- water: scenes of water and sky: sunset, sea, lighthouse, aurora, night, underwater
"""
