#!/usr/bin/env python3
"""
The protocol of a partition's log, rows and owners, as a randomised model: every call of the store changes one cell, is under way for any
time, may land after its issuer died or gave up, and may lose its reply. See README.md.

    moves.py [RULE ...] [--runs N] [--seed N] [--steps N] [--trace] [--list]

Without RULE all rules hold, and a world that breaks a promise is an error. With a RULE, which is the name of a way to take rules back,
a promise must be broken within so many worlds. `moves.py all` tries every one, and `--list` prints their names.
"""

import argparse
import sys
import time

from epoch import Violation
from rules import ALL, TAKEN_BACK, Rules
from world import World


def explore(rules: Rules, options) -> bool:
    """Runs worlds in which all rules hold. Returns whether none breaks a promise; prints the shortest that does."""
    started, acknowledged, takeovers, closes, scrubs = time.monotonic(), 0, 0, 0, 0
    broken: list[tuple[int, int, Violation]] = []
    for seed in range(options.seed, options.seed + options.runs):
        world = World(seed, rules, options.steps)
        try:
            world.run()
        except Violation as violation:
            broken.append((len(world.trace), seed, violation))
        acknowledged += len(world.promises.enqueued) + len(world.promises.dequeued)
        takeovers, closes, scrubs = takeovers + world.takeovers, closes + world.closes, scrubs + world.scrubs
    print(f"all rules: {options.runs} worlds, {acknowledged} acknowledgements, {takeovers} takeovers, {closes} clean closes, {scrubs} scrubs, "
          f"{len(broken)} violations ({time.monotonic() - started:.0f} s)")
    if broken:
        _, seed, violation = min(broken, key=lambda found: found[:2])
        print(f"shortest: seed {seed}, {violation.kind}: {violation}")
        replay(seed, rules, options)
    return not broken


def hunt(name: str, options) -> bool:
    """Runs worlds without a rule, until one breaks a promise. Returns whether one does."""
    (rules, expected), started = TAKEN_BACK[name], time.monotonic()
    for seed in range(options.seed, options.seed + options.runs):
        try:
            World(seed, rules, options.steps).run()
        except Violation as violation:
            if violation.kind not in expected:
                continue
            print(f"{name}: seed {seed}, {violation.kind}: {violation} ({time.monotonic() - started:.0f} s)")
            if options.trace:
                replay(seed, rules, options)
            return True
    print(f"{name}: no violation in {options.runs} worlds ({time.monotonic() - started:.0f} s)")
    return False


def replay(seed: int, rules: Rules, options) -> None:
    world = World(seed, rules, options.steps)
    try:
        world.run()
    except Violation:
        print("\n".join("    " + line for line in world.trace))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rule", nargs="*", metavar="RULE", help=", ".join(["all", *TAKEN_BACK]))
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=260)
    parser.add_argument("--trace", action="store_true", help="print what led to it")
    parser.add_argument("--list", action="store_true", help="print the names of the rules")
    options = parser.parse_args()
    if options.list:
        print("\n".join(TAKEN_BACK))
        return 0
    if unknown := set(options.rule) - {"all", *TAKEN_BACK}:
        parser.error(f"no such rule: {', '.join(sorted(unknown))} (expected: all, {', '.join(TAKEN_BACK)})")
    names = list(TAKEN_BACK) if "all" in options.rule else options.rule
    outcomes = [hunt(name, options) for name in names] if names else [explore(ALL, options)]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
