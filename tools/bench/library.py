#!/usr/bin/env python3
"""Examples of the Modelica Standard Library beside rumoca, on those that both verify, as ratios.

    pip install rumoca==0.10.2
    tools/bench/library.py --refs MAP-LIB_ReferenceResults --library ModelicaStandardLibrary MODEL...

Both repositories are laid out at the same release, as for `tools/conformance/library.py`, whose tube decides what is verified.
Each tool gets the tolerance and stop time of the reference and gives 500 points. Times are of the processor: modeshift as a whole
command, which writes a file, and its steps alone (that command less one that stops where it starts); rumoca inside a process of its
own, from a text that extends the example to its model, and the run alone. Its import and its first reading of the library,
which a small model before pays for, are not counted. Each model is stopped after `--timeout` seconds.
"""

import argparse
import importlib.util
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SPEC = importlib.util.spec_from_file_location("conformance", HERE.parent / "conformance" / "library.py")
conformance = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(conformance)

SMALL = "model Small\n  Modelica.Blocks.Sources.Constant one(k = 1);\nend Small;"


class Reference:
    def __init__(self, refs, name):
        folder = refs.joinpath(*name.split("."))
        self.name = name
        self.start, self.stop, self.tolerance, _ = conformance.settings((folder / "creation.txt").read_text(errors="replace"))
        self.table = conformance.read_table(next(folder.glob("*.csv")))
        self.stop = min(self.stop, self.table["time"][-1])
        self.step = (self.stop - self.start) / 500
        self.signals = [it for it in (folder / "comparisonSignals.txt").read_text().split() if it in self.table]

    def verdict(self, table):
        times = table["time"]
        begin = sum(1 for now in times if now == times[0]) - 1
        for signal in self.signals:
            if signal not in table:
                return "a signal is missing"
            reference, values = self.table[signal], table[signal][begin:]
            span = self.stop - self.start
            if conformance.leaves_tube(self.table["time"], reference, times[begin:], values, span) is not None:
                return "differs"
        return "verified"


def ours(reference, options):
    """Verdict, seconds of the whole command, and of its steps."""
    def run(stop, output):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([options.binary, "simulate", "--quiet", "--library", options.library, "--class", reference.name,
                        "--start-time", str(reference.start), "--stop-time", str(stop), "--step", str(reference.step),
                        "--tolerance", str(reference.tolerance), "--output", str(output)],
                       capture_output=True, timeout=options.timeout, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "result.csv"
        start = min(run(reference.start, output) for _ in range(options.repeat))
        whole = min(run(reference.stop, output) for _ in range(options.repeat))
        verdict = reference.verdict(conformance.read_table(output)) if output.exists() else "stops"
    return verdict, whole, max(whole - start, 0.0)


def theirs(reference, options):
    """The same for rumoca; runs in a process of its own, so that it can be stopped."""
    import rumoca

    session = rumoca.Session(roots=[options.library])
    session.loads(SMALL, model="Small")
    text = f"model Example\n  extends {reference.name};\nend Example;"
    begin = time.process_time()
    model = session.loads(text, model="Example")
    loaded = time.process_time()
    config = rumoca.SimConfig(rtol=reference.tolerance, atol=reference.tolerance * 1e-2)
    result = model.simulate(reference.stop, dt=reference.step, config=config)
    ended = time.process_time()
    table = {"time": list(result.time)}
    for signal in reference.signals:
        # Elements of arrays may be written in another way.
        if signal in result:
            table[signal] = [float(x) for x in result[signal]]
    return reference.verdict(table), ended - begin, ended - loaded


def other(reference, options):
    command = [options.python, __file__, "--refs", str(options.refs), "--library", options.library, "--rumoca", reference.name]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, check=False)
    except subprocess.TimeoutExpired:
        return f"not at its end after {options.timeout:.0f} s", 0, 0
    if run.returncode != 0:
        return (run.stderr or "no message").strip().splitlines()[-1][:60], 0, 0
    return json.loads(run.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*")
    parser.add_argument("--refs", required=True, type=pathlib.Path)
    parser.add_argument("--library", required=True)
    parser.add_argument("--binary", default="target/release/modeshift")
    parser.add_argument("--python", default=sys.executable, help="the Python that has rumoca")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--rumoca", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rumoca:
        print(json.dumps(theirs(Reference(options.refs, options.rumoca), options)))
        return
    print(f"{'modeshift, s':>18}   {'rumoca, s':>16}   {'ratio':>12}\n{'whole':>9}{'steps':>9}   {'whole':>8}{'steps':>8}   {'whole':>6}{'steps':>6}")
    wholes, steps = [], []
    for name in options.models:
        reference = Reference(options.refs, name)
        verdict, whole, run = ours(reference, options)
        rumoca, whole2, run2 = other(reference, options)
        line = f"{whole:9.3f}{run:9.3f}   {whole2:8.2f}{run2:8.3f}"
        if (verdict, rumoca) == ("verified", "verified"):
            wholes.append(whole2 / whole)
            # What ends within the resolution of the clock counts as one tick.
            steps.append(run2 / max(run, 1e-3))
            print(f"{line}   {wholes[-1]:6.0f}{steps[-1]:6.1f}  {name}", flush=True)
        else:
            print(f"{line}   {'':12}  {name}: modeshift {verdict}, rumoca {rumoca}", flush=True)
    if wholes:
        print(f"{len(wholes)} verified by both: whole, median {statistics.median(wholes):.1f}, smallest {min(wholes):.1f};"
              f" steps, median {statistics.median(steps):.1f}, smallest {min(steps):.1f}")


if __name__ == "__main__":
    main()
