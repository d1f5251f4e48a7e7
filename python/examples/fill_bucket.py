"""A linear controller learns to fill an excavator's bucket and to lift it: the cross-entropy method in plain NumPy.

Every lever is a weighted sum of what is seen, cut at its ends. 24 machines at a time try weights drawn from a normal
distribution; the best quarter says what the next is drawn from. Some 40 s of processor time; the curve is in
fill_bucket.png, the weights in fill_bucket.csv.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from bristle import envs

MACHINES, BEST, GENERATIONS, SEED = 24, 6, 22, 5


def features(seen):
    """Of n machines, what the levers are made of: about one in size."""
    by_name = {name: seen[:, i] for i, name in enumerate(NAMES)}
    return np.stack([np.ones(len(seen)), 2 * by_name["boom"] - 1, 2 * by_name["stick"] - 1, 2 * by_name["bucket"] - 1,
                     10 * by_name["tip up"], 2 * by_name["tip ahead"] - 1, by_name["bucket cos"], by_name["load"],
                     2 * by_name["depth"], 2 * by_name["time"] - 1], axis=1)


def episode(machines, weights, seed):
    """Returns and loads of all, each with weights of its own, from start to end."""
    seen, _ = machines.reset(seed=seed)
    returns, loads = np.zeros(len(machines)), np.zeros(len(machines))
    successes, ended = np.zeros(len(machines), bool), np.zeros(len(machines), bool)
    while not ended.all():
        levers = np.einsum("nij,nj->ni", weights, features(seen)).clip(-1, 1)
        seen, _, terminated, truncated, info = machines.step(levers)
        # One that tips over ends before the others; what it does after that does not count.
        ends = (terminated | truncated) & ~ended
        returns[ends], loads[ends], successes[ends] = info["return"][ends], info["load"][ends], info["success"][ends]
        ended |= ends
    return returns, loads, successes


def learn(machines, generations, say=print):
    """The mean of the weights at the end, and a row a generation: mean and best return, mean load of the best."""
    shape = (len(machines.action_names), len(features(np.zeros((1, len(NAMES)))).T))
    draw = np.random.default_rng(SEED)
    mean, spread = np.zeros(shape), np.ones(shape)
    rows = []
    for generation in range(generations):
        weights = mean + spread * draw.standard_normal((len(machines), *shape))
        returns, loads, _ = episode(machines, weights, seed=1000 + generation)
        best = np.argsort(returns)[-BEST:]
        mean = 0.3 * mean + 0.7 * weights[best].mean(axis=0)
        # Some spread more, less and less, so that it does not settle too soon.
        spread = weights[best].std(axis=0) + 0.35 * max(0.0, 1 - generation / (0.85 * generations))
        rows.append((returns.mean(), returns.max(), loads[best].mean()))
        say(f"{generation + 1:3}: mean {rows[-1][0]:6.3f}  best {rows[-1][1]:6.3f}  load of the best {rows[-1][2]:5.0f} kg")
    return mean, np.array(rows)


machines = envs.Vector(MACHINES, task="fill", time_limit=6, steps_an_action=10, step=0.01)
NAMES = machines.observation_names


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="two generations, which learn little")
    options.add_argument("--out", type=Path, default=Path("."), help="folder for the weights and the curve")
    options = options.parse_args()
    began = time.perf_counter()
    mean, rows = learn(machines, 2 if options.quick else GENERATIONS)
    # Places it has not learnt from.
    returns, loads, successes = episode(machines, np.broadcast_to(mean, (len(machines), *mean.shape)), seed=5)
    print(f"learnt in {time.perf_counter() - began:.0f} s; then the bucket holds {loads.mean():.0f} kg "
          f"(from {loads.min():.0f} to {loads.max():.0f}), {successes.mean():.0%} of tries with more than half of its heap")
    np.savetxt(options.out / "fill_bucket.csv", mean, delimiter=",")
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, left = pyplot.subplots(figsize=(7, 4), layout="constrained")
    left.plot(np.arange(1, len(rows) + 1), rows[:, 0], label="mean return")
    left.plot(np.arange(1, len(rows) + 1), rows[:, 1], label="best return")
    left.set(xlabel="generation", ylabel="return, heaps of the bucket", title="Learning to fill a bucket")
    right = left.twinx()
    right.plot(np.arange(1, len(rows) + 1), rows[:, 2], "k:", label="load of the best quarter")
    right.set(ylabel="kg")
    figure.legend(loc="upper left", bbox_to_anchor=(0.11, 0.91))
    figure.savefig(options.out / "fill_bucket.png", dpi=120)


if __name__ == "__main__":
    main()
