#!/usr/bin/env python3
"""Evaluations of the right-hand side: our integrators beside those of SciPy, one-step and multistep.

    pip install scipy
    python3 tools/simulate/methods.py --binary target/debug/modeshift

Counts do not depend on the machine or on how modeshift was compiled. All runs have a relative tolerance of 1e-6 and an
absolute one of 1e-8. "100 restarts" starts the integration anew 100 times, as mode changes do.
"""

import argparse
import json
import math
import os
import subprocess
import tempfile

import numpy as np
from scipy.integrate import solve_ivp

RTOL, ATOL = 1e-6, 1e-8


def rod(t, y):
    left = np.concatenate([[math.sin(t)], y[:-1]])
    right = np.concatenate([y[1:], [0]])
    return len(y) ** 2 * (left - 2 * y + right)


ROD = "model M\n  Real T[30];\nequation\n" + "".join(
    f"  der(T[{i}]) = 900*({f'T[{i - 1}]' if i > 1 else 'sin(time)'} - 2*T[{i}] + {f'T[{i + 1}]' if i < 30 else '0'});\n"
    for i in range(1, 31)
)

PROBLEMS = {
    "oscillator": (
        lambda t, y: [y[1], -y[0]],
        [1, 0],
        100,
        "model M\n  Real x(start = 1);\n  Real v;\nequation\n  der(x) = v;\n  der(v) = -x;\n",
        ["RK45", "BDF"],
        "dopri5",
    ),
    "van der Pol": (
        lambda t, y: [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]],
        [2, 0],
        2000,
        "model M\n  Real x(start = 2);\n  Real y;\nequation\n  der(x) = y;\n  der(y) = 1000*(1 - x^2)*y - x;\n",
        ["Radau", "BDF"],
        "radau5",
    ),
    "rod of 30 pieces": (rod, [0] * 30, 10, ROD, ["Radau", "BDF"], "radau5"),
}


def scipy_count(f, y, stop, method, restarts):
    count = 0
    for part in range(restarts):
        span = (part * stop / restarts, (part + 1) * stop / restarts)
        run = solve_ivp(f, span, y, method=method, rtol=RTOL, atol=ATOL)
        # SciPy does not count the evaluations for difference quotients of the Jacobian.
        count += run.nfev + run.njev * len(run.y)
        y = run.y[:, -1]
    return count


def our_count(binary, text, stop, method, restarts):
    # A sampled counter interrupts the integration without changing anything else.
    extra = "  discrete Integer k(start = 0);\n" if restarts > 1 else ""
    when = f"  when sample(0, {stop / restarts}) then\n    k = pre(k) + 1;\n  end when;\n" if extra else ""
    text = text.replace("equation\n", extra + "equation\n" + when) + "end M;\n"
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "M.mo")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        command = [binary, "simulate", path, "--stop-time", str(stop), "--method", method]
        command += ["--tolerance", str(RTOL), "--format", "json"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return json.loads(printed)["statistics"]["evaluations"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/modeshift")
    options = parser.parse_args()
    print("| problem | method | evaluations | with 100 restarts |\n| --- | --- | --- | --- |")
    for name, (f, y, stop, text, methods, own) in PROBLEMS.items():
        counts = [our_count(options.binary, text, stop, own, n) for n in (1, 100)]
        print(f"| {name} | `{own}` | {counts[0]:,} | {counts[1]:,} |")
        for method in methods:
            counts = [scipy_count(f, y, stop, method, n) for n in (1, 100)]
            print(f"| | SciPy's {method} | {counts[0]:,} | {counts[1]:,} |")


if __name__ == "__main__":
    main()
