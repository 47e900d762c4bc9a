"""The hold model on SimPy, to be measured beside the simulator's own event loop.

Usage: hold.py PENDING EVENTS. Each of PENDING processes waits an exponential time of mean 1 again and again. Prints the
seconds of processor time for EVENTS events; random numbers are drawn beforehand.
"""

import random
import sys
import time

import simpy


def main() -> None:
    pending, events = int(sys.argv[1]), int(sys.argv[2])
    generator = random.Random(42)
    delays = [generator.expovariate(1) for _ in range(1 << 16)]
    environment = simpy.Environment()

    def wait_again(first: int):
        i = first
        while True:
            yield environment.timeout(delays[i & 0xFFFF])
            i += 1

    for process in range(pending):
        environment.process(wait_again(process))
    # The first steps start the processes.
    for _ in range(pending):
        environment.step()
    before = time.process_time()
    for _ in range(events):
        environment.step()
    print(f"{time.process_time() - before:.6f}")


if __name__ == "__main__":
    main()
