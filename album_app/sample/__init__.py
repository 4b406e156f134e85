"""The built-in sample album, drawn by program: the same pictures everywhere.

- brush: what scenes are painted with: gradients, layers, light and clouds on a float picture in 0..1
- figures: figures on a picture, each as the share of every pixel that it covers
- land: scenes of land: mountains, desert, fields, snow, forest, a lone tree
- light: the light of a scene: one number from dawn over noon and dusk to night gives sky, sun and haze
- palette: the colours of scenes: mixed, turned around the wheel, taken from a band
- sample_album: the built-in sample album: drawn by program into the cache on first use, the same pictures everywhere
- scenes: the pictures of the sample album, drawn by program: one function per kind of scene
- terrain: what nature does by chance: smooth noise and height lines
- things: scenes of things: a city skyline, flowers, fruit, balloons
- water: scenes of water and sky: sunset, sea, lighthouse, aurora, night, underwater
"""
