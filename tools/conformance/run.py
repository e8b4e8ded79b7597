#!/usr/bin/env python3
"""Measures modeshift against public test suites and holds the numbers in a ratchet.

The suites and the runner that compares flat models are not part of this repository; their places are
given as arguments, and what is not given is not measured:

  tools/conformance/run.py --binary target/release/modeshift \\
      --runner omsuite.py --index om.jsonl --msl MSL --compliance Modelica-Compliance

`ratchet.json` beside this script holds the best numbers so far, in percent. A number that falls is an
error (exit 1); `--update` writes numbers that rose. `--only NAME` measures one of them.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RATCHET = HERE / "ratchet.json"
# A measurement is not exact to the last test: time limits depend on the machine.
TOLERANCE = 0.2


def measurements(args):
    """Name, command of the runner, and the pattern of its total, for all that can be measured."""
    flatten = f"{args.binary} flatten {{file}} --class {{cls}}"
    common = ["--jobs", str(args.jobs), "--timeout", "20", "--quiet"]
    if args.index:
        run = ["run", "--index", args.index, "--cmd", flatten, *common]
        yield ("openmodelica-new-flat", [*run, "--frontend", "new", "--status", "correct"],
               r"correct struct (\d+)/(\d+)")
        yield ("openmodelica-old-flat", [*run, "--frontend", "old", "--status", "correct", "--level", "equiv"],
               r"correct equiv (\d+)/(\d+)")
        wrong = ["run", "--index", args.index, "--cmd", f"{args.binary} check {{file}} --class {{cls}}", *common]
        yield ("openmodelica-wrong-on-line", [*wrong, "--frontend", "new", "--status", "incorrect"],
               r"incorrect \d+/(?P<of>\d+) \([^)]*\) right line (?P<n>\d+)")
    if args.compliance:
        check = f"{args.binary} check {{libs}} --class {{cls}}"
        yield ("modelica-compliance", ["compliance", "--root", args.compliance, "--cmd", check], r"balanced\D*([\d.]+) ?%")
    if args.msl:
        check = f"{args.binary} check --library {{lib}} --class {{cls}}"
        yield ("msl-examples", ["msl", "--root", args.msl, "--cmd", check], r"TOTAL\D*(\d+)/(\d+)")


def measure(runner, command, pattern):
    """Percent, or None with the runner's last words if its total is not found."""
    result = subprocess.run([sys.executable, runner, *command], capture_output=True, text=True)
    text = result.stdout + result.stderr
    match = re.search(pattern, text)
    if not match:
        return None, text.strip().splitlines()[-1:] or [f"exit {result.returncode}"]
    groups = match.groupdict()
    if groups:
        n, of = float(groups["n"]), float(groups["of"])
    elif len(match.groups()) == 1:
        return float(match.group(1)), []
    else:
        n, of = float(match.group(1)), float(match.group(2))
    return round(100 * n / of, 1) if of else None, []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/modeshift")
    parser.add_argument("--runner", required=True)
    parser.add_argument("--index")
    parser.add_argument("--msl")
    parser.add_argument("--compliance")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only")
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    args.binary = shlex.quote(str(pathlib.Path(args.binary).resolve()))
    ratchet = json.loads(RATCHET.read_text()) if RATCHET.exists() else {}
    failed = False
    for name, command, pattern in measurements(args):
        if args.only and name != args.only:
            continue
        percent, words = measure(args.runner, command, pattern)
        best = ratchet.get(name)
        if percent is None:
            print(f"{name}: not measured: {' '.join(words)}")
            failed = True
            continue
        fell = best is not None and percent < best - TOLERANCE
        failed |= fell
        print(f"{name}: {percent} %" + (f" (best {best} %)" if best is not None else "") + (" FELL" if fell else ""))
        if args.update and (best is None or percent > best):
            ratchet[name] = percent
    if args.update:
        RATCHET.write_text(json.dumps(dict(sorted(ratchet.items())), indent=2) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
