"""The benchmarks of the window and of very many photos: `album-app bench gui`, `album-app bench large`.

- albums: albums for the benchmark of the window, and waiting while the window lives
- benchmark: measures the window: frames, latency, stalls, start-up and opening
- large: measures 1,000 to 100,000 photos stage by stage, each in a process of its own
"""
