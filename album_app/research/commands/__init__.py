"""The commands for researchers; each module offers `configure(parser)` and `run(arguments) -> int`.

- bench: `album-app bench NAME`: the benchmarks, each a table on standard output
- experiment: `album-app experiment NAME -o FOLDER`: a figure of the paper as a plot, a table and the raw numbers
- extras: checks that the packages that only some commands need are installed, before any work
- train: `album-app train resnet20`: train the network behind the `resnet20` features, or measure its weights
"""
