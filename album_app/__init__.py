"""Album App: a folder of photos becomes a sheet where every picture sits next to its kin.

A folder imports only those above it; each begins with a map of its own.

- solver: LSMI-Sinkhorn, Algorithm 1 with the paper's equation numbers
- baselines: the methods it is compared with
- photos: files to arrays: albums, thumbnails, features
- sample: the built-in album, drawn by program
- layout: shapes, pins, arranging, scores, edits, the project file
- render: a sheet becomes a file
- gui: the window, the only room that knows Qt
- cli: the commands
- research: the paper's figures, the benchmarks and training: it imports the program, the program never imports it
- desktop: the program in the menus of a Linux desktop
- errors: the errors a person is meant to read
- file_names: names of files that any system can have
- language: what is said to people, in their language; `choose` decides which, asked by `cli` before the window exists
- lazy: names that a package fetches when they are first asked for
- log: the program's log file
- memory: how much of it this process holds and the machine has
- own_files: the marks by which the program recognises files that it wrote
- paths: cache and state folders, and the one way to write a file
- shipped: the files that ship with the program
- state_files: small files in the state folder, read so that no damage goes beyond the file
- work: long work: progress out, a stop request in, and many files in a few threads that a stop request ends at once
"""

__version__ = "0.3.0"
