#!/usr/bin/env python3
"""Writes the seeds that are kept in another form, as one file each: seeds.py FOLDER

The answers in crates/policy/tests/peers.tsv for the target `headers`; the lines of seeds/mapping.hex for `mapping`."""

import csv
import datetime
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def answer(row):
    lines = []
    if row["now_rfc3339"] != "-":
        now = datetime.datetime.fromisoformat(row["now_rfc3339"].replace("Z", "+00:00"))
        lines.append(f":clock: {int(now.timestamp())}")
    for name, values in json.loads(row["headers"]).items():
        # Names with a colon are the peer's settings.
        if not name.startswith(":"):
            lines += [f"{name}: {value}" for value in (values if isinstance(values, list) else [values])]
    return "\n".join(lines).encode()


def answers():
    with open(HERE.parent / "crates/policy/tests/peers.tsv", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["id"]: answer(row) for row in rows}


def mappings():
    lines = (HERE / "seeds/mapping.hex").read_text().splitlines()
    return {str(number): bytes.fromhex(line) for number, line in enumerate(lines, 1) if not line.startswith("#")}


def main():
    for target, seeds in {"headers": answers(), "mapping": mappings()}.items():
        folder = pathlib.Path(sys.argv[1], target)
        folder.mkdir(parents=True, exist_ok=True)
        for name, seed in seeds.items():
            (folder / name).write_bytes(seed)


main()
