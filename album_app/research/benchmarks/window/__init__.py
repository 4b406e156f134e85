"""The benchmarks of the window and of very many photos: `album-app bench gui`, `album-app bench large`.

- albums: albums for the benchmark of the window, and waiting while the window lives
- benchmark: measures the window: frames, the way from a drop to its layout, stalls, start-up and memory
- large: measures the way of very many photos, stage by stage: `album-app bench large`
- large_stages: the stages of `album-app bench large`, each with its seconds and its peak of memory
- measurements: the measurements behind `album-app bench gui`; each yields figures as they are found
- opening: how long opening feels: the final sheet in the window beside `album-app arrange`, from an empty and a full
  cache
"""
