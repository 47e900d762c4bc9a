"""bundleio for Python: the C interface through ctypes, communicators of mpi4py, arrays of numpy.

Shapes, lifetimes and which calls are collective are those of bundleio.h. BUNDLEIO_LIBRARY names the
shared library if the loader does not find it.

A mistake of one rank is raised there at once. Open files in a with statement: leaving it tells the
other ranks, whose next collective call raises an Error, too, so that none waits for one that left.
"""

import ctypes
import enum
import math
import os

import numpy

CREATE, REPLACE, APPEND = 0, 1, 2
UNLIMITED = -1
ON_ROOT = 0
GLOBAL = -1



class Status(enum.IntEnum):
    """What Error.status may be: bio_status."""

    BAD_ARGUMENT = 1
    MISMATCH = 2
    STATE = 3
    EXISTS = 4
    PERMISSION = 5
    NO_SPACE = 6
    IO = 7
    NOT_BUILT = 8
    NOT_FOUND = 9
    FORMAT = 10
    INTERNAL = 11
    DRAIN = 12


_TEXT = 0
_TYPES = {numpy.dtype(name): code for code, name in enumerate(
    ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"], 1)}

_library = ctypes.CDLL(os.environ.get("BUNDLEIO_LIBRARY", "libbundleio.so"))
_library.bio_message.restype = ctypes.c_char_p
_library.bio_message.argtypes = [ctypes.c_void_p]


class Error(RuntimeError):
    """A failed call: `status` is a Status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = Status(status)


def _check(status, context):
    if status != 0:
        raise Error(status, _library.bio_message(context).decode("utf-8", "replace"))


def _int64s(values):
    return (ctypes.c_int64 * len(values))(*values)


def _type_of(dtype):
    try:
        return _TYPES[numpy.dtype(dtype)]
    except (KeyError, TypeError):
        raise Error(Status.BAD_ARGUMENT, f"type {dtype} cannot be stored") from None


class Context:
    """A context over an mpi4py communicator. Making and finishing are collective."""

    def __init__(self, comm):
        self.handle = ctypes.c_void_p()
        self._is_root = comm.Get_rank() == 0
        self._divided = {}  # by decomposition: how many dimensions, and how many cells this rank holds
        _check(_library.bio_init_f(ctypes.c_int(comm.py2f()), ctypes.byref(self.handle)), None)

    def block(self, lengths, start, count):
        """A decomposition in which this rank owns a box. Collective."""
        made = ctypes.c_int()
        if not len(lengths) == len(start) == len(count):
            raise Error(Status.BAD_ARGUMENT, f"{len(lengths)} lengths, {len(start)} starts and {len(count)} counts: "
                                             "each dimension needs one of each")
        _check(_library.bio_decomp_block(self.handle, len(lengths), _int64s(lengths), _int64s(start),
                                         _int64s(count), ctypes.byref(made)), self.handle)
        self._divided[made.value] = len(lengths), math.prod(count)
        return made.value

    def map(self, lengths, cells):
        """A decomposition in which this rank owns the cells at these row-major offsets. Collective."""
        made = ctypes.c_int()
        _check(_library.bio_decomp_map(self.handle, len(lengths), _int64s(lengths), ctypes.c_int64(len(cells)),
                                       _int64s(cells), ctypes.byref(made)), self.handle)
        self._divided[made.value] = len(lengths), len(cells)
        return made.value

    def open(self, path, mode, backend, options=""):
        """Opens a folder for writing. Collective."""
        return File(self, path, mode, backend, options)

    def finish(self):
        """Collective; files must be closed."""
        _check(_library.bio_finish(self.handle), self.handle or None)
        self.handle = ctypes.c_void_p()


class File:
    """An open run; use it in a with statement, or call close()."""

    def __init__(self, context, path, mode, backend, options):
        self._context = context.handle
        self._is_root = context._is_root
        self._divided = context._divided
        self._handle = ctypes.c_void_p()
        self._lengths = {}  # of dimensions, by bundle and dimension
        self._variables = {}  # by number: name, type, planes and cells that this rank holds of each
        self._kept = []
        self._call("bio_open", os.fsencode(path), mode, backend.encode(), options.encode(),
                   ctypes.byref(self._handle), first=self._context)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.close()
        except Error:
            # What led here is the cause.
            if kind is None:
                raise

    def _call(self, name, *arguments, first=None):
        status = getattr(_library, name)(first or self._handle, *arguments)
        _check(status, self._context if first or self._handle else None)

    def bundle(self, name):
        made = ctypes.c_int()
        self._call("bio_bundle", name.encode(), ctypes.byref(made))
        return made.value

    def dimension(self, bundle, name, length):
        made = ctypes.c_int()
        self._call("bio_def_dim", bundle, name.encode(), ctypes.c_int64(length), ctypes.byref(made))
        self._lengths[bundle, made.value] = 1 if length == UNLIMITED else length
        return made.value

    def variable(self, bundle, name, dtype, dimensions, decomposition=ON_ROOT):
        made = ctypes.c_int()
        self._call("bio_def_var", bundle, name.encode(), _type_of(dtype), len(dimensions),
                   (ctypes.c_int * len(dimensions))(*dimensions), decomposition, ctypes.byref(made))
        lengths = [self._lengths[bundle, number] for number in dimensions]
        divided, cells = self._divided.get(decomposition, (len(lengths), math.prod(lengths) if self._is_root else 0))
        planes = math.prod(lengths[:len(lengths) - divided])
        self._variables[made.value] = name, numpy.dtype(dtype), planes, cells
        return made.value

    def attribute(self, bundle, variable, name, value):
        """`value`: text, a number or an array; numbers of Python become float64 or int64."""
        if isinstance(value, str):
            text = value.encode()
            self._call("bio_put_att", bundle, variable, name.encode(), _TEXT, ctypes.c_int64(len(text)), text)
            return
        array = numpy.ascontiguousarray(value)
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
        self._call("bio_put_att", bundle, variable, name.encode(), _type_of(array.dtype),
                   ctypes.c_int64(array.size), array.ctypes.data_as(ctypes.c_void_p))

    def step_begin(self):
        self._kept = []
        self._call("bio_step_begin")

    def put(self, variable, values):
        """All local values, levels slowest, as many as this rank holds, in any shape. Those of another type,
        order of bytes or order in memory are copied: real numbers are rounded, integers must not change. Of
        variables ON_ROOT only rank 0's values count."""
        array = self._array(variable, values)
        self._call("bio_put", int(variable), array.ctypes.data_as(ctypes.c_void_p))

    def put_levels(self, variable, first, count, values):
        """The same for `count` levels from `first`; all ranks give the same ranges."""
        array = self._array(variable, values, count)
        self._call("bio_put_levels", int(variable), ctypes.c_int64(first), ctypes.c_int64(count),
                   array.ctypes.data_as(ctypes.c_void_p))

    def _array(self, variable, values, levels=None):
        if variable not in self._variables:
            raise Error(Status.BAD_ARGUMENT, f"variable {variable} is not defined")
        name, dtype, planes, cells = self._variables[variable]
        given = numpy.asarray(values)
        if given.dtype.kind not in "biuf":
            raise Error(Status.BAD_ARGUMENT, f"variable '{name}': values of type {given.dtype} are no real numbers")
        array = numpy.ascontiguousarray(given, dtype=dtype)
        if dtype.kind != "f" and not (array.reshape(given.shape) == given).all():
            raise Error(Status.BAD_ARGUMENT, f"variable '{name}': values of type {given.dtype} change as {dtype}")
        wanted = cells * (planes if levels is None else levels)
        if array.size != wanted and cells > 0:
            raise Error(Status.BAD_ARGUMENT, f"variable '{name}': {array.size} values, but this rank holds {wanted}")
        self._kept.append(array)
        return array

    def step_end(self):
        """Writes the step. Collective."""
        self._call("bio_step_end")
        self._kept = []

    def wait(self):
        """Returns once every ended step is visible. Collective."""
        self._call("bio_wait")

    def test(self):
        """Is every ended step visible?"""
        done = ctypes.c_int()
        self._call("bio_test", ctypes.byref(done))
        return bool(done.value)

    def report(self):
        """JSON on rank 0, "" elsewhere. Collective."""
        text = ctypes.c_char_p()
        self._call("bio_report", ctypes.byref(text))
        return text.value.decode()

    def close(self):
        """Collective."""
        handle, self._handle = self._handle, ctypes.c_void_p()
        if handle:
            _check(_library.bio_close(handle), self._context)
