"""The kinds of file that a sheet can become; each is a row in the table.

- animation: a small animated WebP: the layouts that lead to a sheet, and photos that glide from each to the next
- encode: encoders of pixel formats: each writes a picture band by band, except WebP, which needs the whole picture
- format: what a format is: pixels drawn and written band by band, or a page that photos are written into one by one
- table: the formats, one row each
- web_page: a web page: one HTML file that holds its photos and lets readers zoom and search
"""
