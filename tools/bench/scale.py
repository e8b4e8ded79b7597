#!/usr/bin/env python3
"""Measure `modeshift modes` on models of growing size, from text to report.

Usage: scale.py [--binary PATH] [--quick]

Prints a table: family, size, equations, modes, CPU seconds, peak memory, verdict. Each model is written
by families.py and read by a fresh process. Memory and time are those of the process, so the machine's
load does not count, but other programs on the same cores slow it down.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import families

FULL = [
    ("clutches", 1), ("clutches", 100), ("clutches", 1000), ("clutches", 10000),
    ("star", 16), ("star", 64), ("star", 256),
    ("ladder", 10), ("ladder", 100), ("ladder", 1000),
    ("gearbox", 10), ("gearbox", 100), ("gearbox", 1000),
    ("mesh", 3), ("mesh", 8),
    ("rc", 1000), ("rc", 10000), ("rc", 55000),
]
QUICK = [("clutches", 100), ("star", 16), ("ladder", 30), ("gearbox", 50), ("mesh", 2), ("rc", 300)]


def measure(binary, family, n):
    with tempfile.NamedTemporaryFile("w", suffix=".mo") as model:
        model.write(families.FAMILIES[family](n))
        model.flush()
        with tempfile.TemporaryFile("w+") as out:
            process = subprocess.Popen(
                [binary, "modes", "--format", "json", model.name], stdout=out, stderr=subprocess.DEVNULL
            )
            _, status, usage = os.wait4(process.pid, 0)
            out.seek(0)
            document = json.load(out)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, document


def power_of_ten(count):
    if count is None:
        return "?"
    text = str(count)
    return text if len(text) <= 6 else f"10^{len(text) - 1}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="modeshift")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    print("| family | n | equations | modes | seconds | MB | verdict |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for family, n in QUICK if arguments.quick else FULL:
        seconds, memory, document = measure(arguments.binary, family, n)
        codes = {d["code"] for d in document["diagnostics"]}
        verdict = document["verdict"] + (", node limit" if "MS4009" in codes else "")
        print(
            f"| {family} | {n:,} | {document.get('equations', 0):,} | "
            f"{power_of_ten(document.get('mode_count'))} | {seconds:.2f} | {memory // 1024:,} | {verdict} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
