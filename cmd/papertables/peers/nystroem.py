#!/usr/bin/python3
"""Test errors of linear machines on Nystroem features: TRAIN TEST COST GAMMA SEED SIZE..."""
import sys

from sklearn.datasets import load_svmlight_files
from sklearn.kernel_approximation import Nystroem
from sklearn.svm import LinearSVC

train, test, cost, gamma, seed = sys.argv[1:6]
x, y, xt, yt = load_svmlight_files([train, test])
for size in map(int, sys.argv[6:]):
    features = Nystroem(gamma=float(gamma), n_components=size, random_state=int(seed)).fit(x)
    machine = LinearSVC(C=float(cost), dual=False, max_iter=10000).fit(features.transform(x), y)
    print(size, 100 * (machine.predict(features.transform(xt)) != yt).mean())
