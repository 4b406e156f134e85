"""The experiments: each module lists their runs, tables, plots and claims under EXPERIMENTS.

- ablation: what each part contributes, one at a time: start, basis, epsilon, lambda, gamma (the follow slider),
  refinement
- album_color: photo album summarisation by colour: 320 photos on the paper's sheets, by the paper's settings and by
  ours
- album_semantic: photo album summarisation by meaning: 1000 CIFAR-10 images on 16 x 20 and on letters, four classes
  pinned
- choices: choices that differ from the paper, and choices that follow it, each compared with its alternatives
- competitors: `match_samples` compared with other methods that match by few pairs, on data or seeds not used for
  choosing
- convergence: convergence of the loss and of the SMI over the iterations of Algorithm 1
- estimators: estimates of SMI by all methods, and how near each comes to LSMI (full): tables, plot and claims
- gaussian: SMI against a known truth: jointly Gaussian x and y, whose SMI is known in closed form, and the bias of our
  estimates
- guide: the tensor model as the guide of a sheet in place of the paper's: whether hidden pins and sheets are better
- independence: the test of independence: SMI compared with that of shuffled pairs, and how often the test finds
  dependence
- matching: deep image matching: the two halves of a feature vector are matched again with few pairs to learn from
- plans: heat maps of the transport plan: uniform on independent data, on the diagonal where x and y belong together
- runtime: run time of LSMI-Sinkhorn against entropic Gromov-Wasserstein (POT), on two 2-D random measures
- smi: SMI on the paper's synthetic data: LSMI-Sinkhorn compared with LSMI, LSMI (opt), Gromov-SMI and the truth
- uci: SMI between two halves of the features of real data sets that come with scikit-learn
- yardstick: LSMI (full), the paper's ground truth: what it is on the paper's own data depends on lambda and on the
  basis
"""
