"""The benchmarks of the window and of very many photos: `album-app bench gui`, `album-app bench large`.

- benchmark: measures the window on albums made for it: frames, latency, stalls, start-up and opening
- large: measures 1,000 to 100,000 photos stage by stage, each in a process of its own
"""
