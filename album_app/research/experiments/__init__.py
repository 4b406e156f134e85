"""The paper's figures, over one runner.

- albums: what the album experiments share: photos and CIFAR-10 images with features, the paper's sheets, their
  pictures
- figures: the paper's experiments: each lists its runs, tables, plot and claims under EXPERIMENTS
- notes: what the figures mean, in words: where we differ from the paper on purpose, and a note on each experiment
- peers: other ways to lay photos out on a full sheet, all with the same pins: what a layout of ours is compared with
- reproduction: the report on all experiments: what the paper states, what our runs say about it, and where and why we
  differ
- runner: finds an experiment by name, runs it unit by unit, keeps each finished unit, and writes its CSV, table and
  plot
- study: what experiments are made of: runs that can be repeated one by one, tables, plots, claims and verdicts (yes,
  no, or a tie)
- synthetic_data: the paper's synthetic data sets: pairs (x, y) whose dependence is known, split into paired and
  unpaired samples
"""
