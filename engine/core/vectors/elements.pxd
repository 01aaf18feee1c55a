# What the names in elements.py are in C, for Cython.

cimport cython
from ballcourt.engine.core.vectors cimport bulk

@cython.final
cdef class Target:
    cdef unsigned char[::1] cells
    cdef float[::1] floats
    cdef Py_ssize_t width
    cdef Py_ssize_t observer
    cdef void put(self, Py_ssize_t at, Py_ssize_t number, double factor) noexcept
    cdef void mark(self, Py_ssize_t at, bint one) noexcept
    cdef void add(self, Py_ssize_t at, Py_ssize_t change) noexcept

cdef class Column:
    cdef Py_ssize_t at
    cdef Py_ssize_t stride
    cdef write(self, Target target, Py_ssize_t place, Py_ssize_t before, Py_ssize_t after)

cdef class Scaled(Column):
    cdef double factor
    cdef write(self, Target target, Py_ssize_t place, Py_ssize_t before, Py_ssize_t after)

cdef class Set(Column):
    cdef Py_ssize_t first
    cdef Py_ssize_t size
    @cython.locals(now=Py_ssize_t, changed=Py_ssize_t, at=Py_ssize_t, bit=Py_ssize_t)
    cdef write(self, Target target, Py_ssize_t place, Py_ssize_t before, Py_ssize_t after)

cdef class Hot:
    cdef Py_ssize_t least
    cdef Py_ssize_t count
    cdef Py_ssize_t width
    cdef long long[::1] offsets

cdef class MultiHot(Column):
    cdef Hot hot
    @cython.locals(hot=Hot, at=Py_ssize_t, observed=Py_ssize_t, index=Py_ssize_t, stop=Py_ssize_t, offset=Py_ssize_t)
    cdef write(self, Target target, Py_ssize_t place, Py_ssize_t before, Py_ssize_t after)

cdef class Span:
    cdef Py_ssize_t first
    cdef Py_ssize_t size
    @cython.locals(place=Py_ssize_t)
    cdef turn(self, Target target, unsigned char[::1] spare, Py_ssize_t seats, Py_ssize_t turns)
