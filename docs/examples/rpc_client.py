"""A small client of nimlet's RPC mode, with nothing but Python's own library.

    python3 rpc_client.py "What is in this folder?" [nimlet flags ...]

NIMLET names the program where it is not on PATH.
"""

import json
import os
import subprocess
import sys


class Nimlet:
    """One nimlet process. Not for several threads at once."""

    def __init__(self, flags=()):
        self.process = subprocess.Popen(
            [os.environ.get("NIMLET", "nimlet"), "--mode", "rpc", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.count = 0
        self.pending = []

    def ask(self, type, **fields):
        """Sends a command and returns its response, with its "result"; raises where it is refused."""
        self.count += 1
        command = {**fields, "id": str(self.count), "type": type}
        self.process.stdin.write(json.dumps(command).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            record = self._read()
            if record is None:
                raise RuntimeError("nimlet has ended")
            if record["type"] == "response" and record["id"] == command["id"]:
                if not record["ok"]:
                    raise RuntimeError(record["error"])
                return record
            self.pending.append(record)

    def events(self):
        """Every other record, in order, until the program ends."""
        while True:
            record = self.pending.pop(0) if self.pending else self._read()
            if record is None:
                return
            yield record

    def _read(self):
        # In bytes: a line ends in a line feed and in nothing else.
        line = self.process.stdout.readline()
        return json.loads(line) if line else None


def main(message="", *flags):
    nimlet = Nimlet(flags)
    nimlet.ask("prompt", message=message, permissions="ask")
    for event in nimlet.events():
        kind = event["type"]
        if kind == "tool_call":
            print(event["tool_name"], event["input"], file=sys.stderr)
        elif kind == "approval_required":
            print("denied:", event["subject"], file=sys.stderr)
            nimlet.ask("approve", request_id=event["request_id"], answer="deny")
        elif kind == "error":
            print("failed:", event["message"], file=sys.stderr)
        elif kind == "message" and event.get("final"):
            print(event["content"])
        elif kind == "run_end":
            stats = nimlet.ask("get_stats")["result"]
            print(stats["messages"], "messages,", stats["tool_calls"], "tool calls", file=sys.stderr)
            nimlet.ask("shutdown")
    return nimlet.process.wait()


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except RuntimeError as error:
        sys.exit(str(error))
