#!/usr/bin/env python3
"""Simulates library examples, compares them with published reference results, and holds what is verified.

  tools/conformance/library.py --refs MAP-LIB_ReferenceResults --library ModelicaStandardLibrary \\
      [--binary target/release/modeshift] [--only TEXT] [--models FILE] [--timeout S] [--jobs N] [--update]

Neither repository is part of this one; both are given laid out at the same release. A reference is a directory with
`creation.txt` (model and settings), `comparisonSignals.txt` and a CSV file. A model is verified when every signal
stays in a tube around the reference: to the sides 0.2 % of the duration, up and down 0.2 % of the signal's range and
1e-5 of its size. `verified.txt` beside this script lists the models that were; one that is lost is an error
(exit 1). The time limit is in seconds of the processor. `--update` adds new ones and writes the table of docs/library.md. `--models` names a file with one model a line.
"""
import argparse
import bisect
import collections
import concurrent.futures
import csv
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VERIFIED = HERE / "verified.txt"
PAGE = HERE.parent.parent / "docs" / "library.md"
MARK = "<!-- table -->"


def number(text):
    return {"true": 1.0, "false": 0.0}.get(text) if text in ("true", "false") else float(text or "nan")


def read_table(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    head = ["time", *(name.replace(" ", "") for name in rows[0][1:])]
    body = [row for row in rows[1:] if len(row) == len(head)]
    return {name: [number(row[i]) for row in body] for i, name in enumerate(head)}


def leaves_tube(times, reference, t, values, duration):
    """The first time at which `values` is outside the tube around `reference`, or None."""
    low, high = min(reference), max(reference)
    height = 0.002 * (high - low) + 1e-5 * max(abs(low), abs(high)) + 1e-12
    width = 0.002 * duration
    for now, value in zip(t, values):
        # One point further to both sides: a step may lie between two points.
        first = max(bisect.bisect_left(times, now - width) - 1, 0)
        last = min(bisect.bisect_right(times, now + width) + 1, len(times))
        window = reference[first:last]
        if not (min(window) - height <= value <= max(window) + height):
            return now
    return None


def settings(text):
    def value(name, default):
        match = re.search(rf"^{name}\s*=\s*([-+0-9.eE]+)", text, re.M)
        return float(match.group(1)) if match else default

    start, stop = value("StartTime", 0.0), value("StopTime", 1.0)
    step = max(value("Interval", 0.0), (stop - start) / 5000)
    return start, stop, value("Tolerance", 1e-6), step


def run_limited(command, limit, said):
    """Exit status, what was said, and seconds of the processor, which other work on the machine does not change."""
    def begin():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))

    with open(said, "w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, preexec_fn=begin)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said.read_text(errors="replace"), usage.ru_utime + usage.ru_stime


def judge(reference, args):
    """Name, verdict with its reason, seconds."""
    text = (reference / "creation.txt").read_text(errors="replace")
    match = re.search(r'modelName="([^"]+)"', text)
    name = match.group(1) if match else ".".join(reference.relative_to(args.refs).parts)
    start, stop, tolerance, step = settings(text)
    theirs = read_table(next(reference.glob("*.csv")))
    stop = min(stop, theirs["time"][-1])   # one of the published results ends before its stop time
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "result.csv"
        command = [args.binary, "simulate", "--quiet", "--library", args.library, "--class", name,
                   "--start-time", str(start), "--stop-time", str(stop), "--tolerance", str(tolerance),
                   "--step", str(step), "--output", str(output)]
        status, said, seconds = run_limited(command, args.timeout, pathlib.Path(folder) / "said")
        if status == -signal.SIGXCPU:
            return name, f"takes longer than {args.timeout} s", seconds
        code = re.search(r"error\[(MS\d+)\]", said)
        if status or not output.exists():
            return name, code.group(1) if code else f"exit {status}", seconds
        ours = read_table(output)
    t = ours["time"]
    begin = sum(1 for x in t if x == t[0]) - 1   # what was before the events of the start does not count
    for wanted in (reference / "comparisonSignals.txt").read_text().split():
        if wanted == "time" or wanted not in theirs:
            continue
        if wanted not in ours:
            return name, "a signal is missing", seconds
        if leaves_tube(theirs["time"], theirs[wanted], t[begin:], ours[wanted][begin:], stop - start) is not None:
            return name, "differs", seconds
    return name, "verified", seconds


def package(name):
    parts = name.split(".")
    return ".".join(parts[:3] if parts[1] in ("Electrical", "Mechanics") else parts[:2])


def table(rows):
    lines = ["| package | examples | verified | time in s | the rest |", "| --- | --- | --- | --- | --- |"]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[package(row[0])].append(row)
    for group, members in [*sorted(groups.items()), ("all", rows)]:
        rest = collections.Counter(verdict for _, verdict, _ in members if verdict != "verified")
        why = ", ".join(f"{verdict} {n}" for verdict, n in rest.most_common())
        seconds = sum(s for _, verdict, s in members if verdict == "verified")
        lines.append(f"| {group} | {len(members)} | {len(members) - rest.total()} | {seconds:.1f} | {why} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refs", required=True, type=pathlib.Path)
    parser.add_argument("--library", required=True)
    parser.add_argument("--binary", default="target/release/modeshift")
    parser.add_argument("--only", default="")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    chosen = set(args.models.read_text().split()) if args.models else None
    references = [file.parent for file in sorted(args.refs.glob("Modelica/**/creation.txt"))]
    def wanted(reference):
        name = ".".join(reference.relative_to(args.refs).parts)
        return args.only in name and (chosen is None or name in chosen) and any(reference.glob("*.csv"))

    rows = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for row in pool.map(lambda reference: judge(reference, args), filter(wanted, references)):
            rows.append(row)
            print(f"{row[2]:7.2f} s  {row[0]}: {row[1]}", flush=True)
    verified = {name for name, verdict, _ in rows if verdict == "verified"}
    known = set(VERIFIED.read_text().split()) if VERIFIED.exists() else set()
    lost = sorted(known & {name for name, _, _ in rows} - verified)
    print(f"verified {len(verified)} of {len(rows)}; new {len(verified - known)}, lost {len(lost)}")
    for name in lost:
        print(f"lost: {name}")
    if args.update:
        VERIFIED.write_text("\n".join(sorted(known - set(lost) | verified)) + "\n")
        head = PAGE.read_text().split(MARK)[0]
        PAGE.write_text(f"{head}{MARK}\n\n{table(rows)}\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
