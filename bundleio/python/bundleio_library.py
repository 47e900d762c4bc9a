"""The base of module bundleio: the shared library, its errors, types and handles. Programs use bundleio alone."""

from __future__ import annotations

import ctypes
import enum
import os
from typing import TYPE_CHECKING, Any, TypeVar

import numpy

if TYPE_CHECKING:
    from bundleio import Context
    from numpy.typing import ArrayLike, DTypeLike


class Status(enum.IntEnum):
    """The values of Error.status: bio_status."""

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


_ANY = -1
_TEXT = 0
_NO_TYPE = -2
_DIMENSIONS_MAX = 1024  # NetCDF's
_TYPES = {numpy.dtype(name): code for code, name in enumerate(
    ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64"], 1)}


def _library_path() -> str:
    installed = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "libbundleio.so")
    return os.environ.get("BUNDLEIO_LIBRARY") or (installed if os.path.exists(installed) else "libbundleio.so")


_library = ctypes.CDLL(_library_path())
_library.bio_message.restype = ctypes.c_char_p
_library.bio_message.argtypes = [ctypes.c_void_p]


class _Date(ctypes.Structure):
    """bio_date."""

    _fields_ = [(name, ctypes.c_int) for name in ("year", "month", "day", "hour", "minute")] + [("second", ctypes.c_double)]


class Error(RuntimeError):
    """A failed call: `status` is a Status, str() the message."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = Status(status)


def _check(status: int, context: ctypes.c_void_p | None) -> None:
    if status != 0:
        raise Error(status, _library.bio_message(context).decode("utf-8", "replace"))


def _integers(values: ArrayLike, what: str) -> numpy.ndarray:
    """One dimension of int64; numbers with a fraction are not rounded."""
    try:
        given = numpy.asarray(values)
    except ValueError:
        given = numpy.empty((0, 0))  # lists of unequal lengths
    if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
        raise Error(Status.BAD_ARGUMENT, f"{what}: a sequence of integers is needed, not {values!r:.60}")
    return numpy.ascontiguousarray(given, dtype=numpy.int64)


def _address(array: numpy.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def _type_of(dtype: DTypeLike) -> int:
    try:
        return _TYPES[numpy.dtype(dtype)]
    except (KeyError, TypeError):
        raise Error(Status.BAD_ARGUMENT, f"type {dtype} cannot be stored: use {', '.join(map(str, _TYPES))}") from None


def _dtype_of(code: int) -> numpy.dtype:
    return next(known for known, number in _TYPES.items() if number == code)


_Self = TypeVar("_Self")


class _Scope:
    """A handle of the library, which the end of a with statement frees unless that was done before."""

    def __init__(self) -> None:
        self._handle = ctypes.c_void_p()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        try:
            if self._handle:
                self._free()
        except Error:
            # The first error is the cause.
            if kind is None:
                raise

    def _free(self) -> None:
        raise NotImplementedError


class _Opened(_Scope):
    """Belongs to a context, and has its messages."""

    def __init__(self, context: Context):
        super().__init__()
        self._context = context._handle

    def _call(self, name: str, *arguments: Any) -> None:
        _check(getattr(_library, name)(self._handle, *arguments), self._context if self._handle else None)

    def _close(self, name: str) -> None:
        handle, self._handle = self._handle, ctypes.c_void_p()
        if handle:
            _check(getattr(_library, name)(handle), self._context)

    def _free(self) -> None:
        self.close()
