"""Everything that evaluates the program and is not part of it. No other folder imports this one.

- commands: `album-app experiment`, `bench` and `train`; the command line finds them by name
- experiments: the paper's figures, over one runner
- benchmarks: measurements of the program and of its peers; the window's are in a folder of their own
- training: training and evaluating the ResNet20 that ships with the program
"""
