"""The paper's figures, over one runner.

- albums: shared by the album experiments: photos and CIFAR-10 images with features, the paper's sheets, their pictures
- figures: the experiments: each module lists their runs, tables, plots and claims under EXPERIMENTS
- notes: the texts of the report: where we differ from the paper on purpose, and a note on each experiment
- peers: other methods that place photos on a full sheet with pins, with which our layouts are compared
- reproduction: the report on all experiments: what the paper states, what our runs say about it, and where and why we
  differ
- runner: finds an experiment by name, runs it unit by unit, keeps each finished unit, and writes its CSV, table and
  plot
- study: the parts of experiments: runs that can be repeated one by one, tables, plots, claims and verdicts
- synthetic_data: the paper's synthetic data sets: pairs (x, y) whose dependence is known, split into paired and
  unpaired samples
"""
