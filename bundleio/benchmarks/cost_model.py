"""What a step costs, by ranks: a sum of terms for each phase, fitted to runs of the bench, and carried over to other rank counts.

seconds(phase) = sum over terms of c(term) x units(term), c >= 0. The units are counted, not measured:

  fixed     1
  ranks     P, the ranks                                      what is done for every rank at one place: metadata, agreements
  calls     V P, with V variables                             the same for every variable
  messages  Q P, with Q planes                                gather: every plane from every rank
  bytes     S, the bytes of a step                            copies, and the file system
  pieces    Q L W, with L rows of a plane, W ranks in a row   rows that a shared file has apart: what MPI-IO sorts
  rounds    ceil(S / 16 MiB) P                                messages to the aggregator, whose buffer ROMIO empties that often

Own: the choice of terms; the paper fits nothing. Least squares of the relative error, by trying every subset of the terms.
"""

import itertools
import math

PHASES = {"open": ("agree", "create", "define"), "write": ("exchange", "write"), "close": ("sync", "close", "publish")}
COLLECTIVE_BUFFER_BYTES = 16 << 20
TERMS = {
    "gather": {"open": ("fixed", "ranks"), "write": ("messages", "bytes"), "close": ("fixed", "ranks")},
    "posix": {"open": ("fixed", "ranks"), "write": ("bytes", "ranks"), "close": ("fixed", "ranks")},
    "pnetcdf": {"open": ("fixed", "ranks"), "write": ("bytes", "pieces", "rounds"), "close": ("fixed", "ranks")},
    "netcdf4": {"open": ("fixed", "calls"), "write": ("bytes", "pieces", "calls"), "close": ("fixed", "ranks")},
    "bp5": {"open": ("fixed", "ranks"), "write": ("bytes", "calls"), "close": ("fixed", "ranks")},
}


class Workload:
    """One step: what is written by how many ranks."""

    def __init__(self, ranks, lat, lon, bundles, variables, planes, planes_largest):
        self.ranks = ranks
        self.lat = lat
        self.lon = lon
        self.bundles = bundles
        self.variables = variables
        self.planes = planes
        self.planes_largest = planes_largest

    def at(self, ranks):
        return Workload(ranks, self.lat, self.lon, self.bundles, self.variables, self.planes, self.planes_largest)

    def step_bytes(self):
        return 4 * self.lat * self.lon * self.planes

    def largest_bytes(self):
        return 4 * self.lat * self.lon * self.planes_largest

    def ranks_in_a_row(self):
        """As the bench's model divides the globe: as square as the factors of the rank count allow."""
        return self.ranks // max(d for d in range(1, math.isqrt(self.ranks) + 1) if self.ranks % d == 0)

    def units(self):
        return {
            "fixed": 1,
            "ranks": self.ranks,
            "calls": self.variables * self.ranks,
            "messages": self.planes * self.ranks,
            "bytes": self.step_bytes(),
            "pieces": self.planes * self.lat * self.ranks_in_a_row(),
            "rounds": math.ceil(self.step_bytes() / COLLECTIVE_BUFFER_BYTES) * self.ranks,
        }


class Cluster:
    """Where a projection is to hold. `cores_here` shared the work of the runs that were fitted."""

    def __init__(self, cores_here, ranks_per_node, link_bytes_per_second, files_bytes_per_second):
        self.cores_here = cores_here
        self.ranks_per_node = ranks_per_node
        self.link_bytes_per_second = link_bytes_per_second
        self.files_bytes_per_second = files_bytes_per_second

    def seconds(self, backend, term, coefficient, work):
        """Lowest and highest. What grows with ranks here is either waiting for a core, which a tree of messages replaces there, or
        work at one place, which stays: nothing measured on one machine can tell."""
        alone = coefficient * self.cores_here  # of one core, nobody beside it
        nodes = math.ceil(work.ranks / self.ranks_per_node)
        if term == "fixed":
            return coefficient, coefficient
        if term in ("ranks", "calls"):
            each = work.variables if term == "calls" else 1
            return coefficient * each * math.log2(work.ranks), coefficient * each * work.ranks
        if term == "messages":
            # The busiest rank is a plane root and the root of the largest bundle.
            busiest = math.ceil(work.planes / work.ranks) * work.ranks + work.planes_largest
            return alone * busiest, alone * busiest
        if term == "bytes" and backend == "gather":
            seconds = work.largest_bytes() * max(alone, 1 / self.link_bytes_per_second)
            return seconds, seconds
        if term == "bytes":
            seconds = work.step_bytes() * max(alone / work.ranks, 1 / (nodes * self.link_bytes_per_second), 1 / self.files_bytes_per_second)
            return seconds, seconds
        shared = alone * work.units()[term] / nodes  # pieces and rounds: an aggregator on each node
        return shared, shared


def solve(rows, targets):
    """Least squares by the normal equations; None where they are singular. A handful of unknowns."""
    count = len(rows[0])
    matrix = [[sum(row[i] * row[j] for row in rows) for j in range(count)] + [sum(row[i] * t for row, t in zip(rows, targets))]
              for i in range(count)]
    for i in range(count):
        pivot = max(range(i, count), key=lambda k: abs(matrix[k][i]))
        if abs(matrix[pivot][i]) < 1e-12:
            return None
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        for k in range(count):
            if k != i:
                factor = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i])]
    return [matrix[i][count] / matrix[i][i] for i in range(count)]


def fit(terms, samples):
    """`samples`: pairs of workload and seconds. Returns the coefficient of each term."""
    best = ({term: 0.0 for term in terms}, math.inf)
    for size in range(1, len(terms) + 1):
        for chosen in itertools.combinations(terms, size):
            scale = [max(work.units()[term] for work, _ in samples) for term in chosen]
            rows = [[work.units()[term] / s / seconds for term, s in zip(chosen, scale)] for work, seconds in samples]
            found = solve(rows, [1.0] * len(rows))
            if found is None or min(found) < 0:
                continue
            error = sum((1 - sum(a * b for a, b in zip(row, found))) ** 2 for row in rows)
            if error < best[1]:
                coefficients = dict.fromkeys(terms, 0.0)
                coefficients.update({term: value / s for term, value, s in zip(chosen, found, scale)})
                best = (coefficients, error)
    return best[0]


class Model:
    """One back end. `runs`: pairs of workload and facts, as the bench prints them."""

    def __init__(self, backend, runs):
        self.backend = backend
        self.runs = runs
        self.coefficients = {phase: fit(terms, self.samples(phase)) for phase, terms in TERMS[backend].items()}

    def samples(self, phase):
        return [(work, max(1e-9, sum(facts[name] for name in PHASES[phase]))) for work, facts in self.runs]

    def seconds(self, work):
        """By phase, on the machine that was measured."""
        units = work.units()
        return {phase: sum(c * units[term] for term, c in terms.items()) for phase, terms in self.coefficients.items()}

    def on_cluster(self, cluster, work):
        """By phase: lowest and highest."""
        result = {}
        for phase, terms in self.coefficients.items():
            pairs = [cluster.seconds(self.backend, term, c, work) for term, c in terms.items()]
            result[phase] = (sum(low for low, _ in pairs), sum(high for _, high in pairs))
        return result

    def residual(self, phase):
        """Root of the mean square of the relative errors."""
        errors = [self.seconds(work)[phase] / seconds - 1 for work, seconds in self.samples(phase)]
        return math.sqrt(sum(error * error for error in errors) / len(errors))

    def without(self, ranks):
        return Model(self.backend, [run for run in self.runs if run[0].ranks != ranks])

    def rank_counts(self):
        return sorted({work.ranks for work, _ in self.runs})

    def extrapolation_error(self):
        """Relative error of the whole step at the largest rank count, by the model fitted to the others."""
        most = self.rank_counts()[-1]
        smaller = self.without(most)
        errors = []
        for work, facts in self.runs:
            if work.ranks == most:
                measured = sum(facts[name] for names in PHASES.values() for name in names)
                errors.append(sum(smaller.seconds(work).values()) / measured - 1)
        return max(errors, key=abs)

    def interval(self, work):
        """Of the whole step: the range that models with one rank count left out span."""
        values = [sum(self.without(ranks).seconds(work).values()) for ranks in self.rank_counts()]
        return min(values), max(values)
