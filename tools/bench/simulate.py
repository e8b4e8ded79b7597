#!/usr/bin/env python3
"""Simulation beside rumoca, on models that both can run, as ratios.

    pip install rumoca
    cargo build --release -p modeshift-cli
    python3 tools/bench/simulate.py [--binary target/release/modeshift] [--repeat 3]

Both start from the text: modeshift as a whole command that writes nothing, rumoca inside a running Python
(its import is not counted). So the start of the process is not counted either: the time of `modeshift --version` is
subtracted. Times are processor times, the smallest of the repeated ones; "start" is a run that stops where it
starts (modeshift) or the loading of the text (rumoca), "steps" is the rest. Both integrate with a
relative tolerance of 1e-6 and give 500 points. A ratio above 1 means that modeshift is faster. Each model runs in a
process of its own, which ends after a minute.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
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


def ladder(n):
    """A chain of resistors and capacitors."""
    return f"""model Ladder{n}
  Real v[{n}];
  Real i[{n}];
equation
  i[1] = 1 - v[1];
  for k in 2:{n} loop
    i[k] = v[k-1] - v[k];
  end for;
  for k in 1:{n - 1} loop
    0.001*der(v[k]) = i[k] - i[k+1];
  end for;
  0.001*der(v[{n}]) = i[{n}];
end Ladder{n};"""


def inertias(n):
    """Inertias coupled by springs and dampers."""
    return f"""model Inertias{n}
  Real phi[{n}](start = fill(0, {n}), each fixed = true);
  Real w[{n}](start = fill(0, {n}), each fixed = true);
  Real tau[{n}];
equation
  tau[1] = sin(time) - 10*phi[1];
  for k in 2:{n} loop
    tau[k] = 10*(phi[k-1] - phi[k]) + 0.1*(w[k-1] - w[k]);
  end for;
  for k in 1:{n} loop
    der(phi[k]) = w[k];
  end for;
  for k in 1:{n - 1} loop
    der(w[k]) = tau[k] - tau[k+1];
  end for;
  der(w[{n}]) = tau[{n}];
end Inertias{n};"""


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
    "BouncingBallDamped": (
        """model BouncingBallDamped
  Real h(start = 10, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 - 0.01*v;
  when h < 0 then
    reinit(v, -0.95*pre(v));
  end when;
end BouncingBallDamped;""",
        20,
    ),
    "Robertson": (
        """model Robertson
  Real a(start = 1, fixed = true);
  Real b(start = 0, fixed = true);
  Real c(start = 0, fixed = true);
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  der(c) = 3e7*b^2;
end Robertson;""",
        1000,
    ),
    "VanDerPolMild": (
        """model VanDerPolMild
  Real x(start = 2, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = (1 - x^2)*y - x;
end VanDerPolMild;""",
        500,
    ),
    "Lorenz": (
        """model Lorenz
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
  Real z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
end Lorenz;""",
        50,
    ),
    "Chain20": (chain(20), 200),
    "Chain200": (chain(200), 100),
    "Inertias50": (inertias(50), 50),
    "Rod30": (rod(30), 10),
    "Rod200": (rod(200), 10),
    "Ladder100": (ladder(100), 1),
    "Ladder1000": (ladder(1000), 1),
}


def smallest(run, repeat, clock):
    times = []
    for _ in range(repeat):
        begin = clock()
        run()
        times.append(clock() - begin)
    return min(times)


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def process(binary, repeat):
    """What it costs to start the program at all."""
    version = [binary, "--version"]
    return smallest(lambda: subprocess.run(version, check=True, stdout=subprocess.DEVNULL), repeat, children)


def ours(binary, path, stop, repeat, empty):
    def run(stop):
        command = [binary, "simulate", path, "--stop-time", str(stop), "--tolerance", "1e-6", "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    start = smallest(lambda: run(0), repeat, children)
    whole = max(smallest(lambda: run(stop), repeat, children), start)
    return max(start - empty, 0), whole - empty


def theirs(name, text, stop, repeat):
    """Runs in a process of its own, so that it can be stopped."""
    import rumoca

    def load():
        return rumoca.Session().loads(text, model=name)

    def simulate(model):
        model.simulate(stop, dt=stop / 500, config=rumoca.SimConfig(rtol=1e-6, atol=1e-8))

    start = smallest(load, repeat, time.process_time)
    return start, smallest(lambda: simulate(load()), repeat, time.process_time)


def other(name, repeat):
    command = [sys.executable, __file__, "--rumoca", name, "--repeat", str(repeat)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60 * repeat, check=False)
    except subprocess.TimeoutExpired:
        return None, "not at its end after a minute"
    if run.returncode != 0:
        lines = (run.stderr or "no message").strip().splitlines()
        return None, lines[-1][:60]
    return json.loads(run.stdout.splitlines()[-1]), None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/modeshift")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--rumoca", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rumoca:
        text, stop = MODELS[options.rumoca]
        print(json.dumps(theirs(options.rumoca, text, stop, options.repeat)))
        return
    ratios = []
    empty = process(options.binary, 10 * options.repeat)
    print(f"{'':<19}{'modeshift, ms':>18}   {'rumoca, ms':>18}")
    print(f"{'model':<19}{'start':>8}{'steps':>10}   {'start':>8}{'steps':>10}   {'ratio':>6}")
    with tempfile.TemporaryDirectory() as directory:
        for name, (text, stop) in MODELS.items():
            path = os.path.join(directory, f"{name}.mo")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            start, whole = ours(options.binary, path, stop, options.repeat, empty)
            line = f"{name:<19}{start * 1e3:>8.1f}{(whole - start) * 1e3:>10.1f}"
            found, why = other(name, options.repeat)
            if why:
                print(f"{line}   not run: {why}", flush=True)
                continue
            load, total = found
            ratios.append(total / whole)
            print(f"{line}   {load * 1e3:>8.1f}{(total - load) * 1e3:>10.1f}   {total / whole:>6.1f}", flush=True)
    if ratios:
        print(f"process {empty * 1e3:.1f} ms, not counted")
        print(f"median ratio {statistics.median(ratios):.1f}, smallest {min(ratios):.1f}, {len(ratios)} models")


if __name__ == "__main__":
    main()
