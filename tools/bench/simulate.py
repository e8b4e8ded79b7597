#!/usr/bin/env python3
"""Simulation beside rumoca, on models that both can run, as ratios.

    pip install rumoca
    cargo build --release -p modeshift-cli
    python3 tools/bench/simulate.py [--binary target/release/modeshift] [--repeat 3]

Both start from the text: modeshift as a whole command that writes nothing, rumoca inside a running Python
(its import is not counted). The smallest of the repeated times counts. Both integrate with a relative tolerance of
1e-6 and give 500 points. A ratio above 1 means that modeshift is faster.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time


def chain(n):
    """A chain of masses and springs."""
    lines = [f"model Chain{n}", f"  Real x[{n}];", f"  Real v[{n}];", "equation"]
    for i in range(1, n + 1):
        left = f"x[{i - 1}]" if i > 1 else "sin(time)"
        right = f"x[{i + 1}]" if i < n else "0"
        lines += [f"  der(x[{i}]) = v[{i}];", f"  der(v[{i}]) = {left} - 2*x[{i}] + {right};"]
    return "\n".join([*lines, f"end Chain{n};"])


def rod(n):
    """Heat conduction: stiff."""
    lines = [f"model Rod{n}", f"  Real T[{n}];", "equation"]
    for i in range(1, n + 1):
        left = f"T[{i - 1}]" if i > 1 else "sin(time)"
        right = f"T[{i + 1}]" if i < n else "0"
        lines.append(f"  der(T[{i}]) = {n * n}*({left} - 2*T[{i}] + {right});")
    return "\n".join([*lines, f"end Rod{n};"])


MODELS = {
    "Oscillator": (
        """model Oscillator
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Oscillator;""",
        1000,
    ),
    "LotkaVolterra": (
        """model LotkaVolterra
  Real x(start = 2, fixed = true);
  Real y(start = 1, fixed = true);
equation
  der(x) = 1.5*x - x*y;
  der(y) = x*y - 3*y;
end LotkaVolterra;""",
        500,
    ),
    "VanDerPol": (
        """model VanDerPol
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = 1000*(1 - x^2)*y - x;
end VanDerPol;""",
        3000,
    ),
    "Pendulum": (
        """model Pendulum
  Real phi(start = 1, fixed = true);
  Real w(start = 0, fixed = true);
  Real x;
  Real y;
equation
  der(phi) = w;
  der(w) = -9.81*sin(phi);
  x = sin(phi);
  y = -cos(phi);
end Pendulum;""",
        300,
    ),
    "BouncingBall": (
        """model BouncingBall
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -pre(v));
  end when;
end BouncingBall;""",
        100,
    ),
    "Chain20": (chain(20), 200),
    "Rod30": (rod(30), 10),
}


def smallest(run, repeat):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


def ours(binary, path, stop, repeat):
    command = [binary, "simulate", path, "--stop-time", str(stop), "--tolerance", "1e-6", "--quiet"]

    def run():
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return smallest(run, repeat)


def theirs(name, text, stop, repeat):
    import rumoca

    def run():
        model = rumoca.Session().loads(text, model=name)
        model.simulate(stop, dt=stop / 500, config=rumoca.SimConfig(rtol=1e-6, atol=1e-8))

    return smallest(run, repeat)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/modeshift")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    ratios = []
    print(f"{'model':<15} {'modeshift':>11} {'rumoca':>11} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as directory:
        for name, (text, stop) in MODELS.items():
            path = os.path.join(directory, f"{name}.mo")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            own = ours(options.binary, path, stop, options.repeat)
            try:
                other = theirs(name, text, stop, options.repeat)
            except Exception as error:  # what the other tool cannot run is not compared
                print(f"{name:<15} {own * 1e3:>8.1f} ms   not run: {str(error).splitlines()[0][:60]}")
                continue
            ratios.append(other / own)
            print(f"{name:<15} {own * 1e3:>8.1f} ms {other * 1e3:>8.1f} ms {other / own:>7.1f}")
    if ratios:
        print(f"median ratio {statistics.median(ratios):.1f}, smallest {min(ratios):.1f}")


if __name__ == "__main__":
    main()
