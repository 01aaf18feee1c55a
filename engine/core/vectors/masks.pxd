# What the names in masks.py are in C, for Cython.

cimport cython
from ballcourt.engine.core.vectors cimport bulk

cdef class Masks:
    cdef unsigned char[::1] view
    cdef Py_ssize_t size
    @cython.locals(index=Py_ssize_t, base=Py_ssize_t, action=Py_ssize_t)
    cpdef write(self, Py_ssize_t first, list legal)
    @cython.locals(index=Py_ssize_t, action=Py_ssize_t)
    cpdef Py_ssize_t first_illegal(self, list actions)
