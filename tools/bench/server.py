#!/usr/bin/env python3
"""Put the language server under stress and print threads, memory, latency and processor time.

    tools/bench/server.py --binary target/release/modeshift [--small] [--memory-limit MB]

Each scene is a server of its own: many models in one file, a very large file, many open files, malformed traffic, many
edits. `--small` makes them small enough for a test. Only the protocol is used. The second time in a line is the processor
time of the server meanwhile, with that of a check that goes on. The exit status is 1 if the server dies, leaves a question
unanswered, answers one of a kind that needs no analysis later than `--patience` seconds, or has more than `--threads`
threads.
"""
import argparse
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time


class Server:
    """A server and what it has said."""

    def __init__(self, command, folder):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.messages = queue.Queue()
        self.number = 0
        self.answers = {}
        self.status = queue.Queue()
        self.wanted = None
        threading.Thread(target=self.read, daemon=True).start()
        root = folder.as_uri()
        self.ask("initialize", {"processId": None, "rootUri": root, "capabilities": {},
                                "initializationOptions": {"status": True}})
        self.tell("initialized", {})

    def read(self):
        out = self.process.stdout
        while True:
            length = None
            while line := out.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            message = json.loads(out.read(length))
            if message.get("method") == "modeshift/status" and message["params"]["quiescent"]:
                self.status.put((time.monotonic(), message["params"]["versions"]))
            if "id" in message and "method" not in message:
                self.messages.put(message)

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params, patience=600):
        """The answer and the seconds it took; edits made meanwhile may refuse it."""
        self.number += 1
        started = time.monotonic()
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.messages.get(timeout=patience)
            if message is None:
                raise SystemExit(f"the server died at {method}")
            if message["id"] == self.number:
                return message, time.monotonic() - started

    def open(self, path, text):
        self.wanted = (path.as_uri(), 1, time.monotonic())
        document = {"uri": path.as_uri(), "languageId": "modelica", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def change(self, path, version, start, end, text):
        self.wanted = (path.as_uri(), version, time.monotonic())
        where = {"start": start, "end": end}
        self.tell("textDocument/didChange", {"textDocument": {"uri": path.as_uri(), "version": version},
                                             "contentChanges": [{"range": where, "text": text}]})

    def checked(self, patience=900):
        """The seconds from the last edit until all has been said about it."""
        uri, version, started = self.wanted
        while True:
            try:
                when, versions = self.status.get(timeout=patience)
            except queue.Empty:
                raise SystemExit("the check does not end") from None
            if versions.get(uri) == version:
                return when - started

    def cpu(self):
        """Seconds of the processor so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def size(self):
        """Megabytes and threads."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        return int(fields["VmRSS"].split()[0]) // 1024, int(fields["Threads"])

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(30)


def at(line, character):
    return {"line": line, "character": character}


def models(count):
    return "".join(
        f"model M{k}\n  Real x(start = {k});\n  Boolean on = time > {k % 7};\nequation\n"
        f"  der(x) = if on then -{k} * x else 1;\nend M{k};\n" for k in range(count))


def ladders(megabytes):
    """Longer models, as libraries have them: chains of forty states."""
    states = range(1, 41)
    declared = "".join(f'  Real x{i}(start = {i}) "level of cell {i} above the ground";\n' for i in states)
    equations = "".join(f"  der(x{i}) = {f'x{i - 1}' if i > 1 else 'time'} - x{i};\n" for i in states)
    length = len(declared) + len(equations)
    return "".join(f"model L{k}\n{declared}equation\n{equations}end L{k};\n" for k in range(int(megabytes * 1e6 / length)))


class Stress:
    def __init__(self, args):
        self.args = args
        self.failed = False

    def line(self, scene, what, seconds=None, cpu=None):
        shown = "" if seconds is None else f"{1000 * seconds:10.1f} ms"
        shown += "" if cpu is None else f"{1000 * cpu:10.0f} ms"
        print(f"{scene:<34} {what:<32} {shown}", flush=True)

    def question(self, server, scene, method, params):
        before = server.cpu()
        answer, seconds = server.ask(method, params)
        cpu = server.cpu() - before
        if "error" in answer and answer["error"]["code"] == -32603:
            self.failed = True
        self.failed |= seconds > self.args.patience
        self.line(scene, method, seconds, cpu)

    def questions(self, server, scene, path):
        document = {"textDocument": {"uri": path.as_uri()}}
        place = document | {"position": at(1, 7)}
        self.question(server, scene, "textDocument/hover", place)
        self.question(server, scene, "textDocument/completion", place)
        self.question(server, scene, "textDocument/documentSymbol", document)

    def finish(self, server, scene):
        memory, threads = server.size()
        self.line(scene, f"{memory} MB, {threads} threads")
        self.failed |= threads > self.args.threads
        self.failed |= server.end() != 0

    def one_file(self, folder, count):
        scene = f"{count} models in one file"
        server = Server(self.args.command, folder)
        path, text = folder / "Many.mo", models(count)
        server.open(path, text)
        self.questions(server, scene + ", checking", path)
        self.line(scene, "check", server.checked(), server.cpu())
        self.questions(server, scene, path)
        server.change(path, 2, at(4, 20), at(4, 20), " 2 *")
        self.questions(server, scene + ", edited", path)
        self.line(scene, "check after an edit", server.checked())
        self.finish(server, scene)

    def large_file(self, folder, megabytes):
        """Nobody waits for the check."""
        scene = f"{megabytes} MB in one file"
        server = Server(self.args.command, folder)
        path = folder / "Large.mo"
        server.open(path, ladders(megabytes))
        self.questions(server, scene, path)
        self.questions(server, scene + ", again", path)
        server.change(path, 2, at(42, 12), at(42, 12), " 2 *")
        self.questions(server, scene + ", edited", path)
        self.finish(server, scene)

    def many_files(self, folder, count):
        scene = f"{count} open files"
        server = Server(self.args.command, folder)
        paths = [folder / f"F{k}.mo" for k in range(count)]
        for k, path in enumerate(paths):
            server.open(path, models(2).replace("M0", f"A{k}").replace("M1", f"B{k}"))
        self.line(scene, "check", server.checked())
        self.questions(server, scene, paths[-1])
        server.change(paths[0], 2, at(4, 20), at(4, 20), " 2 *")
        self.line(scene, "check after an edit", server.checked())
        self.finish(server, scene)

    def malformed(self, folder):
        scene = "malformed traffic"
        server = Server(self.args.command, folder)
        for body in [b"{", b"[]", b"null", b'{"jsonrpc":"2.0","id":1}', b'{"id":"x","method":7}', b"\xff\xfe",
                     b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}',
                     b'{"jsonrpc":"2.0","id":77,"method":"textDocument/hover","params":[1]}']:
            server.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        path = folder / "Good.mo"
        server.open(path, models(1))
        self.line(scene, "check", server.checked())
        self.questions(server, scene, path)
        self.finish(server, scene)

    def edits(self, folder, count):
        scene = f"{count} edits"
        server = Server(self.args.command, folder)
        path = folder / "Edited.mo"
        server.open(path, models(20))
        server.checked()
        before, _ = server.size()
        times = []
        start = len("  Real x(start = ")
        for version in range(2, count + 2):
            length = len(str(version - 1)) if version > 2 else 1
            server.change(path, version, at(1, start), at(1, start + length), str(version))
            # Others are overtaken by the next one, as when somebody types.
            if version % 10 == 0 or version == count + 1:
                times.append(server.checked())
        times.sort()
        self.line(scene, "check, median of every tenth", times[len(times) // 2])
        self.line(scene, "check, 95 %", times[len(times) * 95 // 100])
        self.line(scene, f"{before} MB before")
        self.finish(server, scene)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/release/modeshift")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--patience", type=float, default=60)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--models", type=int, nargs="*", default=None)
    parser.add_argument("--memory-limit", help="megabytes, as `modeshift lsp` takes them")
    args = parser.parse_args()
    args.command = [args.binary, "lsp"] + (["--memory-limit", args.memory_limit] if args.memory_limit else [])
    stress = Stress(args)
    for count in args.models or ([200] if args.small else [2000, 45000]):
        with tempfile.TemporaryDirectory() as folder:
            stress.one_file(pathlib.Path(folder), count)
    with tempfile.TemporaryDirectory() as folder:
        stress.large_file(pathlib.Path(folder), 1 if args.small else 24)
    with tempfile.TemporaryDirectory() as folder:
        stress.many_files(pathlib.Path(folder), 20 if args.small else 300)
    with tempfile.TemporaryDirectory() as folder:
        stress.malformed(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        stress.edits(pathlib.Path(folder), 100 if args.small else 10000)
    sys.exit(1 if stress.failed else 0)


if __name__ == "__main__":
    main()
