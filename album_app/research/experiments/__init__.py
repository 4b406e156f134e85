"""The paper's figures, over one runner.

- albums: what the album experiments share: photos and CIFAR-10 images with features, the paper's sheets, their
  pictures
- catalogue: the experiments by name, each in a module of its own that is imported when it is asked for
- drawing: what the plots of several experiments share: curves and bars of means that show their spread
- figures: the paper's experiments: each lists its runs, tables, plot and claims under EXPERIMENTS
- notes: what the figures mean, in words: where we differ from the paper on purpose, and a note on each experiment
- peers: other ways to lay photos out on a full sheet, all with the same pins: what a layout of ours is compared with
- reproduction: the report on all experiments together: the paper's statements, our figures, and where and why we differ
- runner: runs an experiment unit by unit, keeps every finished one, and writes its CSV, table and plot
- statements: what the paper states about its experiments, in its own words, and what our runs say to each statement
- study: what an experiment is: runs that can be repeated one by one, their tables and plot, the claims they bear on
- synthetic_data: the paper's synthetic data sets: pairs (x, y) whose dependence is known, split into paired and
  unpaired samples
- verdicts: whether one method is better than another by more than its runs scatter: yes, no, or a tie
"""
