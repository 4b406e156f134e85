"""The kinds of file a sheet can become: a new one is a file here and a row in the table.

- animation: a sheet that moves: photos glide from layout to layout, as an animated WebP that stays small
- checks: why a sheet cannot be written so or there, said before any work, and what it will cost
- encode: pictures to files with Pillow: PNG, JPEG and WebP, each stoppable while it is being written
- format: what a format is: pixels drawn in memory first, or a page that photos are written into one by one
- table: the formats, one row each
- tiff: TIFF in strips: written piece by piece, so that it can be stopped and lets other threads run
- web_page: a sheet as a web page in one file, to zoom into, to walk through and to send
- web_pictures: how large and how good the pictures of a web page are, so that the page keeps to its size
"""
