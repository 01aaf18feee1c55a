# bulk.py in C. mypyc and Cython would count references to every number.

from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    ctypedef struct PyObject
    ctypedef struct PyListObject:
        PyObject** ob_item
    bint PyList_Check(PyObject*) noexcept
    Py_ssize_t Py_SIZE(PyObject*) noexcept

cdef inline Py_ssize_t first_changed_row(list known, list rows, Py_ssize_t first) noexcept:
    cdef PyObject** before = (<PyListObject*>known).ob_item
    cdef PyObject** after = (<PyListObject*>rows).ob_item
    cdef Py_ssize_t end = len(rows)
    while first < end and first < len(known) and not differ(before[first], after[first]):
        first += 1
    return first

cdef inline bint differ(PyObject* one, PyObject* other) noexcept:
    # a row that is not a list counts as changed, so that the caller fails on it
    cdef Py_ssize_t length = Py_SIZE(one)
    return not PyList_Check(other) or length != Py_SIZE(other) or (
        memcmp((<PyListObject*>one).ob_item, (<PyListObject*>other).ob_item, length * sizeof(PyObject*)) != 0
    )

cdef inline Py_ssize_t first_changed_number(list known, list row, Py_ssize_t first, Py_ssize_t end) noexcept:
    cdef PyObject** before = (<PyListObject*>known).ob_item
    cdef PyObject** after = (<PyListObject*>row).ob_item
    while first < end and before[first] == after[first]:
        first += 1
    return first

cdef inline void rotate(
    float[::1] vector, float[::1] spare, Py_ssize_t first, Py_ssize_t size, Py_ssize_t moved
) noexcept:
    memcpy(&spare[0], &vector[first], size * sizeof(float))
    memcpy(&vector[first], &spare[moved], (size - moved) * sizeof(float))
    memcpy(&vector[first + size - moved], &spare[0], moved * sizeof(float))
