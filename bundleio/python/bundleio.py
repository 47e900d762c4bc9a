"""bundleio for Python: the C interface through ctypes, communicators of mpi4py, arrays of numpy.

Shapes, lifetimes and which calls are collective are those of bundleio.h. BUNDLEIO_LIBRARY names the
shared library if the loader does not find it.
"""

import ctypes
import os

import numpy

CREATE, REPLACE, APPEND = 0, 1, 2
UNLIMITED = -1
ON_ROOT = 0
GLOBAL = -1

_TEXT = 0
_TYPES = {numpy.dtype(name): code for code, name in enumerate(
    ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"], 1)}

_library = ctypes.CDLL(os.environ.get("BUNDLEIO_LIBRARY", "libbundleio.so"))
_library.bio_message.restype = ctypes.c_char_p
_library.bio_message.argtypes = [ctypes.c_void_p]


class Error(RuntimeError):
    """A failed call: `status` is one of bio_status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def _check(status, context):
    if status != 0:
        raise Error(status, _library.bio_message(context).decode("utf-8", "replace"))


def _int64s(values):
    return (ctypes.c_int64 * len(values))(*values)


def _type_of(dtype):
    try:
        return _TYPES[numpy.dtype(dtype)]
    except (KeyError, TypeError):
        raise Error(1, f"type {dtype} cannot be stored") from None


class Context:
    """A context over an mpi4py communicator. Making and finishing are collective."""

    def __init__(self, comm):
        self.handle = ctypes.c_void_p()
        _check(_library.bio_init_f(ctypes.c_int(comm.py2f()), ctypes.byref(self.handle)), None)

    def block(self, lengths, start, count):
        """A decomposition in which this rank owns a box. Collective."""
        made = ctypes.c_int()
        _check(_library.bio_decomp_block(self.handle, len(lengths), _int64s(lengths), _int64s(start),
                                         _int64s(count), ctypes.byref(made)), self.handle)
        return made.value

    def map(self, lengths, cells):
        """A decomposition in which this rank owns the cells at these row-major offsets. Collective."""
        made = ctypes.c_int()
        _check(_library.bio_decomp_map(self.handle, len(lengths), _int64s(lengths), ctypes.c_int64(len(cells)),
                                       _int64s(cells), ctypes.byref(made)), self.handle)
        return made.value

    def open(self, path, mode, backend, options=""):
        """Opens a folder for writing. Collective."""
        return File(self, path, mode, backend, options)

    def finish(self):
        _check(_library.bio_finish(self.handle), self.handle)


class File:
    """An open run; use it in a with statement, or call close()."""

    def __init__(self, context, path, mode, backend, options):
        self._context = context.handle
        self._handle = ctypes.c_void_p()
        self._dtypes = {}
        self._kept = []
        self._call("bio_open", os.fsencode(path), mode, backend.encode(), options.encode(),
                   ctypes.byref(self._handle), first=self._context)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _call(self, name, *arguments, first=None):
        _check(getattr(_library, name)(first or self._handle, *arguments), self._context)

    def bundle(self, name):
        made = ctypes.c_int()
        self._call("bio_bundle", name.encode(), ctypes.byref(made))
        return made.value

    def dimension(self, bundle, name, length):
        made = ctypes.c_int()
        self._call("bio_def_dim", bundle, name.encode(), ctypes.c_int64(length), ctypes.byref(made))
        return made.value

    def variable(self, bundle, name, dtype, dimensions, decomposition=ON_ROOT):
        made = ctypes.c_int()
        self._call("bio_def_var", bundle, name.encode(), _type_of(dtype), len(dimensions),
                   (ctypes.c_int * len(dimensions))(*dimensions), decomposition, ctypes.byref(made))
        self._dtypes[made.value] = numpy.dtype(dtype)
        return made.value

    def attribute(self, bundle, variable, name, value):
        """`value`: text, a number or an array; numbers of Python become float64 or int64."""
        if isinstance(value, str):
            text = value.encode()
            self._call("bio_put_att", bundle, variable, name.encode(), _TEXT, ctypes.c_int64(len(text)), text)
            return
        array = numpy.ascontiguousarray(value)
        self._call("bio_put_att", bundle, variable, name.encode(), _type_of(array.dtype),
                   ctypes.c_int64(array.size), array.ctypes.data_as(ctypes.c_void_p))

    def step_begin(self):
        self._kept = []
        self._call("bio_step_begin")

    def put(self, variable, values):
        """All local values, levels slowest; of another type or order they are copied."""
        array = numpy.ascontiguousarray(values, dtype=self._dtypes[variable])
        self._kept.append(array)
        self._call("bio_put", variable, array.ctypes.data_as(ctypes.c_void_p))

    def step_end(self):
        """Writes the step. Collective."""
        self._call("bio_step_end")
        self._kept = []

    def wait(self):
        """Returns once every ended step is visible. Collective."""
        self._call("bio_wait")

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
