"""Runs of the tool that scripts start: what they print, or one line of what went wrong, and who stops all of them."""

import json
import subprocess
import sys

STATE = 3
BAD_INPUT = 2


def refuse(script, message, code=BAD_INPUT):
    print(f"{script}: {message}", file=sys.stderr)
    sys.exit(code)


def numbers(script, option, text):
    """Of "2,4,8"."""
    words = text.split(",")
    if not all(word.isdigit() and int(word) > 0 for word in words):
        refuse(script, f"{option} {text}: use numbers from 1, such as 2,4,8")
    return [int(word) for word in words]


def out_of(script, ranks, *words):
    """Standard output of a program under mpirun. Ends this script with the program's own line if it fails, without mpirun's."""
    process = subprocess.run(["mpirun", "-n", str(ranks), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        lines = process.stderr.strip().splitlines()
        told = [line for line in lines if line.startswith("bundleio: ")] or lines[-1:] or ["it says nothing"]
        code = process.returncode if process.returncode in (BAD_INPUT, STATE) else 1
        refuse(script, f"{ranks} ranks ended with {process.returncode}: {told[0]}", code)
    return process.stdout


def json_of(script, ranks, tool, *options):
    """The output of bundleio bench."""
    return json.loads(out_of(script, ranks, tool, "bench", "--json", *options))


def backends_of(script, tool):
    """Those of this build."""
    try:
        return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.split("back ends: ")[1].split()
    except OSError as error:
        refuse(script, f"{tool}: {error.strerror}: run bundleio/check --build", STATE)
