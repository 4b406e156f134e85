"""The kinds of file a sheet can become: a new one is a file here and a row in the table.

- animation: a sheet that moves: the layouts that lead to it, and photos that glide between them, as a small animated
  WebP
- encode: encoders of pixel formats: each writes a picture band by band, except WebP, whose encoder needs all of it
- format: what a format is: pixels drawn and written band by band, or a page that photos are written into one by one
- table: the formats, one row each
- web_page: A web page: one HTML file that holds its photos and lets a reader look around
"""
