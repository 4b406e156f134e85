"""The benchmark of the window: `album-app bench gui`.

- albums: albums for the benchmark of the window, and waiting while the window lives
- benchmark: measures the window: frames, the way from a drop to its layout, stalls, start-up and memory
- measurements: the measurements behind `album-app bench gui`; each yields figures as they are found
"""
