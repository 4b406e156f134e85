"""Album App: a folder of photos becomes a sheet where every picture sits next to its kin."""

__version__ = "0.1.0"
