"""`python -m album_app` is the command `album-app`."""

import sys

from album_app.cli import main

if __name__ == "__main__":
    sys.exit(main())
