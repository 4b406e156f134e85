"""The frozen program: `album-app` as usual, and like the interpreter with `-m`, by which it starts its own helpers."""

import multiprocessing
import runpy
import sys

multiprocessing.freeze_support()
words = [word for word in sys.argv[1:] if word != "-P"]
if words[:1] == ["-m"] and words[1:] and words[1].split(".")[0] == "album_app":
    sys.argv = words[1:]
    runpy.run_module(words[1], run_name="__main__", alter_sys=True)
else:
    from album_app.cli import main

    sys.exit(main())
