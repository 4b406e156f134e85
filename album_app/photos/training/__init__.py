"""Training the ResNet20 that ships with the program, and measuring it."""
