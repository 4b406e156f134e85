"""The built-in sample album, drawn by program: the same pictures everywhere.

- brush: what every scene is painted with: noise, ridges, layers, discs and masks on a float picture in 0..1
- land: scenes of land: mountains, desert, fields, snow, forest, a lone tree
- light: the light of a scene: one number from dawn over noon and dusk to night gives sky, sun and haze
- sample_album: the built-in sample album: drawn by program into the cache on first use, the same pictures everywhere
- scenes: the pictures of the sample album, drawn by program: one function per kind of scene
- things: scenes of things: a city skyline, flowers, fruit, balloons
- water: scenes of water and sky: sunset, sea, lighthouse, aurora, night, underwater
"""
