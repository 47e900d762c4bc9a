"""bundleio for Python: the C interface through ctypes, communicators of mpi4py, arrays of numpy.

docs/reference/bundleio-api.md lists every method; shapes and which calls are collective are those of
bundleio.h. The shared library is the one that was installed with this file, else the loader's;
BUNDLEIO_LIBRARY names another one.

A mistake of one rank is raised there at once. Open runs in a with statement: leaving it tells the
other ranks, whose next collective call raises an Error, too, so that none waits for one that left.
"""

from __future__ import annotations

import ctypes
import json
import os
from typing import TYPE_CHECKING, Any, Sequence

import numpy

from bundleio_library import (_ANY, _DIMENSIONS_MAX, _NO_TYPE, _TEXT, _TYPES, Error, Status, _address, _check, _Date, _dtype_of, _integers,
                              _library, _Opened, _Scope, _type_of)

if TYPE_CHECKING:
    from mpi4py import MPI
    from numpy.typing import ArrayLike, DTypeLike

CREATE, REPLACE, APPEND = 0, 1, 2
UNLIMITED = -1
ON_ROOT = 0
ONCE = 0
LAST_STEP = -1
GLOBAL = -1


def _holds(array: numpy.ndarray, given: numpy.ndarray) -> bool:
    """Are these the values that were given, but for the rounding of real numbers?"""
    if array.dtype.kind != "f":
        return array.dtype == given.dtype or bool((array == given).all())
    if given.dtype.kind == "f":
        return bool((numpy.isfinite(array) | ~numpy.isfinite(given)).all())
    if given.dtype.kind not in "iu":
        return True
    # A real number beyond the integers of that type cannot be turned back.
    return bool((array < float(int(numpy.iinfo(given.dtype).max) + 1)).all()) and bool((array.astype(given.dtype) == given).all())


class Context(_Scope):
    """A context over an mpi4py communicator; making and finishing it, also by with, are collective."""

    def __init__(self, comm: MPI.Comm):
        super().__init__()
        _check(_library.bio_init_f(ctypes.c_int(comm.py2f()), ctypes.byref(self._handle)), None)

    def block(self, lengths: Sequence[int], start: Sequence[int], count: Sequence[int]) -> int:
        """A decomposition in which this rank owns a box; slowest dimension first. Collective."""
        made = ctypes.c_int()
        try:
            arrays = [_integers(values, what) for values, what in ((lengths, "lengths"), (start, "start"), (count, "count"))]
        except Error:
            # The other ranks must not wait for this one.
            _library.bio_decomp_block(self._handle, -1, None, None, None, ctypes.byref(made))
            raise
        dimensions = arrays[0].size if len({array.size for array in arrays}) == 1 else -1
        _check(_library.bio_decomp_block(self._handle, dimensions, *map(_address, arrays), ctypes.byref(made)),
               self._handle or None)
        return made.value

    def map(self, lengths: Sequence[int], cells: Sequence[int]) -> int:
        """A decomposition in which this rank owns the cells at these row-major offsets. Collective."""
        return self._map(_library.bio_decomp_map, lengths, cells)

    def map_one_based(self, lengths: Sequence[int], cells: Sequence[int]) -> int:
        """The same, counted from 1; 0 is a local value that belongs nowhere. Collective."""
        return self._map(_library.bio_decomp_map_one_based, lengths, cells)

    def _map(self, decompose, lengths, cells):
        made = ctypes.c_int()
        try:
            whole, own = _integers(lengths, "lengths"), _integers(cells, "cells")
        except Error:
            decompose(self._handle, -1, None, ctypes.c_int64(0), None, ctypes.byref(made))
            raise
        _check(decompose(self._handle, whole.size, _address(whole), ctypes.c_int64(own.size), _address(own), ctypes.byref(made)),
               self._handle or None)
        return made.value

    def open(self, path: str | os.PathLike, mode: int, backend: str, options: str = "") -> Run:
        """Opens a folder for writing. Collective."""
        return Run(self, path, mode, backend, options)

    def read(self, path: str | os.PathLike, step: int = LAST_STEP, options: str = "") -> Reader:
        """Opens a complete step of a run for reading. Collective."""
        return Reader(self, path, step, options)

    def time_value(self, units: str, calendar: str, date: Sequence[float]) -> float:
        """The value that stands for (year, month, day[, hour[, minute[, second]]]) in "days since 1850-01-01" of a CF calendar."""
        value = ctypes.c_double()
        parts = [*date, *[0] * (6 - len(date))]
        if not 3 <= len(date) <= 6 or any(part != int(part) for part in parts[:5]):
            raise Error(Status.BAD_ARGUMENT, f"date {date!r:.60}: (year, month, day[, hour[, minute[, second]]]) is needed")
        given = _Date(*map(int, parts[:5]), parts[5])
        _check(_library.bio_time_value(self._handle, units.encode(), calendar.encode(), ctypes.byref(given), ctypes.byref(value)),
               self._handle or None)
        return value.value

    def date(self, units: str, calendar: str, value: float) -> tuple[int, int, int, int, int, float]:
        """The date of a value, to the millisecond."""
        found = _Date()
        _check(_library.bio_time_date(self._handle, units.encode(), calendar.encode(), ctypes.c_double(value), ctypes.byref(found)),
               self._handle or None)
        return found.year, found.month, found.day, found.hour, found.minute, found.second

    def _free(self) -> None:
        self.finish()

    def finish(self) -> None:
        """Collective; files must be closed."""
        _check(_library.bio_finish(self._handle), self._handle or None)
        self._handle = ctypes.c_void_p()


class Run(_Opened):
    """An open run; use it in a with statement, or call close()."""

    def __init__(self, context: Context, path: str | os.PathLike, mode: int, backend: str, options: str = ""):
        super().__init__(context)
        self._variables: dict[int, tuple[str, numpy.dtype]] = {}
        self._kept: list[numpy.ndarray] = []
        _check(_library.bio_open(self._context, os.fsencode(path), int(mode), backend.encode(), options.encode(),
                                 ctypes.byref(self._handle)), self._context or None)

    def bundle(self, name: str) -> int:
        """Defines a bundle and returns its number."""
        made = ctypes.c_int()
        self._call("bio_bundle", name.encode(), ctypes.byref(made))
        return made.value

    def dimension(self, bundle: int, name: str, length: int) -> int:
        """Defines a dimension of a bundle; one may be UNLIMITED."""
        made = ctypes.c_int()
        self._call("bio_def_dim", int(bundle), name.encode(), ctypes.c_int64(int(length)), ctypes.byref(made))
        return made.value

    def variable(self, bundle: int, name: str, dtype: DTypeLike, dimensions: Sequence[int],
                 decomposition: int = ON_ROOT) -> int:
        """Defines a variable; dimensions slowest first."""
        made = ctypes.c_int()
        numbers = _integers(dimensions, "dimensions").astype(numpy.intc)
        self._call("bio_def_var", int(bundle), name.encode(), self._type_of(dtype), int(numbers.size), _address(numbers),
                   int(decomposition), ctypes.byref(made))
        self._variables[made.value] = name, numpy.dtype(dtype)
        return made.value

    def every(self, variable: int, steps: int) -> None:
        """From now on it is due in each step whose number `steps` divides; ONCE: in step 0 alone."""
        self._call("bio_def_every", int(variable), ctypes.c_int64(int(steps)))

    def attribute(self, bundle: int, variable: int, name: str, value: str | ArrayLike) -> None:
        """`value`: text, a number or an array; numbers of Python become float64 or int64."""
        if isinstance(value, str):
            code, data = _TEXT, numpy.frombuffer(value.encode(), numpy.uint8)
        else:
            array = numpy.ascontiguousarray(value)
            data = array.astype(array.dtype.newbyteorder("="), copy=False)
            code = self._type_of(data.dtype)
        self._call("bio_put_att", int(bundle), int(variable), name.encode(), code, ctypes.c_int64(data.size), _address(data))

    def time(self, bundle: int, dimension: int, units: str, calendar: str = "standard") -> int:
        """Defines the time of a bundle, named like `dimension`, with the attributes that CF asks for."""
        return self._time(bundle, dimension, units, calendar, None)

    def time_with_bounds(self, bundle: int, dimension: int, units: str, calendar: str = "standard") -> tuple[int, int]:
        """The same, and the variable of each step's begin and end."""
        bounds = ctypes.c_int()
        time = self._time(bundle, dimension, units, calendar, ctypes.byref(bounds))
        self._variables[bounds.value] = "bounds of time", numpy.dtype("float64")
        return time, bounds.value

    def _time(self, bundle, dimension, units, calendar, bounds):
        made = ctypes.c_int()
        self._call("bio_def_time", int(bundle), int(dimension), units.encode(), calendar.encode(), ctypes.byref(made), bounds)
        self._variables[made.value] = "time", numpy.dtype("float64")
        return made.value

    def is_due(self, variable: int) -> bool:
        """In the step under way, or, between steps, in the next one."""
        due = ctypes.c_int()
        self._call("bio_due", int(variable), ctypes.byref(due))
        return bool(due.value)

    def step_begin(self) -> None:
        """Starts a step."""
        self._call("bio_step_begin")
        self._kept = []

    def put(self, variable: int, values: ArrayLike) -> None:
        """All local values, levels slowest, as many as this rank holds, in any shape. Arrays of the variable's type
        that are contiguous must not change before step_end returns; others are copied: real numbers are
        rounded, integers must not change, and nothing becomes infinite. Of variables ON_ROOT only rank 0's values count."""
        array = self._array(variable, _ANY, values)
        self._call("bio_put", int(variable), _address(array))

    def put_levels(self, variable: int, first: int, count: int, values: ArrayLike) -> None:
        """The same for `count` levels from `first`; all ranks give the same ranges."""
        array = self._array(variable, int(count), values)
        self._call("bio_put_levels", int(variable), ctypes.c_int64(int(first)), ctypes.c_int64(int(count)), _address(array))

    def fail(self, status: Status, message: str) -> None:
        """Raises an Error here, and at the next step_end or close on all ranks."""
        self._call("bio_fail", int(status), message.encode())

    def _type_of(self, dtype: DTypeLike) -> int:
        try:
            return _type_of(dtype)
        except Error as error:
            self.fail(error.status, str(error))
            raise

    def _array(self, variable: int, levels: int, values: ArrayLike) -> numpy.ndarray:
        """`values` as the library wants them, kept until step_end."""
        given = numpy.asarray(values)
        name, dtype = self._variables.get(variable, ("", given.dtype))
        # The library refuses names that are not defined.
        if name and numpy.ma.is_masked(values):
            self.fail(Status.BAD_ARGUMENT, f"variable '{name}': some values are masked: put filled(VALUE) of them")
        if name and given.dtype.kind not in "biuf":
            self.fail(Status.BAD_ARGUMENT, f"variable '{name}': values of type {given.dtype} are no real numbers")
        with numpy.errstate(over="ignore"):
            array = numpy.ascontiguousarray(given, dtype=dtype)
        if not _holds(array.reshape(given.shape), given):
            self.fail(Status.BAD_ARGUMENT, f"variable '{name}': values of type {given.dtype} change as {dtype}")
        self._call("bio_check_put", int(variable), ctypes.c_int64(levels), _ANY, ctypes.c_int64(array.size))
        self._kept.append(array)
        return array

    def step_end(self) -> None:
        """Writes the step. Collective."""
        try:
            self._call("bio_step_end")
        finally:
            self._kept = []

    def wait(self) -> None:
        """Returns once every ended step is visible. Collective."""
        self._call("bio_wait")

    def test(self) -> bool:
        """Is every ended step visible?"""
        done = ctypes.c_int()
        self._call("bio_test", ctypes.byref(done))
        return bool(done.value)

    def report(self) -> dict[str, Any]:
        """The cost of the steps so far; empty on other ranks than 0. Collective."""
        text = ctypes.c_char_p()
        self._call("bio_report", ctypes.byref(text))
        return json.loads(text.value) if text.value else {}

    def close(self) -> None:
        """Waits, then frees; a second call does nothing. Collective."""
        self._close("bio_close")


class Reader(_Opened):
    """A complete step of a run, open for reading; use it in a with statement, or call close()."""

    def __init__(self, context: Context, path: str | os.PathLike, step: int = LAST_STEP, options: str = ""):
        super().__init__(context)
        _check(_library.bio_read_open(self._context, os.fsencode(path), ctypes.c_int64(int(step)), options.encode(),
                                      ctypes.byref(self._handle)), self._context or None)

    def step(self) -> int:
        """Which step it is."""
        number = ctypes.c_int64()
        self._call("bio_read_step", ctypes.byref(number))
        return number.value

    def bundles(self) -> list[str]:
        """Names of the bundles."""
        return self._names(0, "", "")

    def variables(self, bundle: str) -> list[str]:
        """Names of the variables of a bundle."""
        return self._names(1, bundle, "")

    def dimensions(self, bundle: str, variable: str = "") -> list[str]:
        """Names of the dimensions of a variable, slowest first, or, without one, of the bundle."""
        return self._names(2, bundle, variable)

    def dimension(self, bundle: str, name: str) -> tuple[int, bool]:
        """Length, and is it unlimited? Such a dimension has one entry in a step."""
        length, unlimited = ctypes.c_int64(), ctypes.c_int()
        self._call("bio_read_dim", bundle.encode(), name.encode(), ctypes.byref(length), ctypes.byref(unlimited))
        return length.value, bool(unlimited.value)

    def attributes(self, bundle: str, variable: str = "") -> dict[str, str | numpy.ndarray]:
        """Attributes of a variable, or, without one, of the bundle: texts, and arrays of numbers."""
        return {name: self._attribute(bundle, variable, name) for name in self._names(3, bundle, variable)}

    def _attribute(self, bundle, variable, name):
        code, count = ctypes.c_int(), ctypes.c_int64()
        owner = bundle.encode(), variable.encode(), name.encode()
        self._call("bio_read_att", *owner, ctypes.byref(code), ctypes.byref(count))
        values = numpy.empty(count.value, numpy.uint8 if code.value == _TEXT else _dtype_of(code.value))
        self._call("bio_get_att", *owner, code.value, count, _address(values))
        return values.tobytes().decode("utf-8", "replace") if code.value == _TEXT else values

    def _names(self, what, bundle, variable):
        count, names = ctypes.c_int(), ctypes.POINTER(ctypes.c_char_p)()
        self._call("bio_read_names", what, bundle.encode(), variable.encode(), ctypes.byref(count), ctypes.byref(names))
        return [names[i].decode("utf-8", "replace") for i in range(count.value)]

    def shape(self, bundle: str, variable: str) -> tuple[numpy.dtype, tuple[int, ...]]:
        """The type of a variable and its lengths, slowest first."""
        code, count, lengths = ctypes.c_int(), ctypes.c_int(_DIMENSIONS_MAX), (ctypes.c_int64 * _DIMENSIONS_MAX)()
        self._call("bio_read_shape", bundle.encode(), variable.encode(), ctypes.byref(code), ctypes.byref(count), lengths)
        return _dtype_of(code.value), tuple(lengths[:count.value])

    def slab(self, bundle: str, variable: str, start: Sequence[int] | None = None, count: Sequence[int] | None = None,
             stride: Sequence[int] | None = None) -> numpy.ndarray:
        """`count` entries of each dimension from `start`, `stride` apart; by default all. An unlimited dimension has one."""
        dtype, lengths = self.shape(bundle, variable)
        first, step = ([fallback] * len(lengths) if given is None else _integers(given, what).tolist()
                       for given, fallback, what in ((start, 0, "start"), (stride, 1, "stride")))
        if count is None:
            taken = [len(range(*slice(a, None, max(1, c)).indices(b))) for a, b, c in zip(first, lengths, step)]
        else:
            taken = _integers(count, "count").tolist()
        if not len(first) == len(step) == len(taken) == len(lengths):
            raise Error(Status.BAD_ARGUMENT, f"variable '{bundle}/{variable}' has {len(lengths)} dimensions: start, count and stride "
                                             "need as many integers")
        into = numpy.empty([max(0, length) for length in taken], dtype)
        numbers = [_integers(values, "") for values in (first, taken, step)]
        self._call("bio_get_slab", bundle.encode(), variable.encode(), _TYPES[dtype], len(lengths), *map(_address, numbers),
                   ctypes.c_int64(into.size), _address(into))
        return into

    def get(self, bundle: str, variable: str, into: numpy.ndarray, decomposition: int = ON_ROOT) -> None:
        """Fills `into`, of the variable's type and in C order, with this rank's part. Collective."""
        usable = isinstance(into, numpy.ndarray) and into.flags.c_contiguous and into.flags.writeable
        # No type that a variable has: the error is that of all ranks, and none waits.
        code = _TYPES.get(into.dtype, _NO_TYPE) if usable else _NO_TYPE
        self._call("bio_get", bundle.encode(), variable.encode(), code, int(decomposition),
                   ctypes.c_int64(into.size if usable else 0), _address(into) if usable else None)

    def close(self) -> None:
        """Frees the step; a second call does nothing. Collective."""
        self._close("bio_read_close")
