# bulk.py in C. mypyc and Cython would count references to every number.

from libc.string cimport memcmp, memcpy, memmove, memset

cdef extern from "Python.h":
    ctypedef struct PyObject
    ctypedef struct PyListObject:
        PyObject** ob_item
    bint PyList_Check(PyObject*) noexcept
    Py_ssize_t Py_SIZE(PyObject*) noexcept

cdef inline Py_ssize_t first_changed_row(list known, list rows, Py_ssize_t offset, Py_ssize_t first) noexcept:
    cdef PyObject** before = (<PyListObject*>known).ob_item + offset
    cdef PyObject** after = (<PyListObject*>rows).ob_item
    cdef Py_ssize_t end = len(rows)
    cdef Py_ssize_t length = len(known) - offset
    while first < end and first < length and not differ(before[first], after[first]):
        first += 1
    return first

cdef inline bint differ(PyObject* one, PyObject* other) noexcept:
    # a row that is not a list counts as changed, so that the caller fails on it
    if one == other:
        return False
    cdef Py_ssize_t length = Py_SIZE(one)
    return not PyList_Check(other) or length != Py_SIZE(other) or (
        memcmp((<PyListObject*>one).ob_item, (<PyListObject*>other).ob_item, length * sizeof(PyObject*)) != 0
    )

cdef inline Py_ssize_t first_changed(list known, list row, Py_ssize_t first, Py_ssize_t end) noexcept:
    cdef PyObject** before = (<PyListObject*>known).ob_item
    cdef PyObject** after = (<PyListObject*>row).ob_item
    while first + 16 <= end and memcmp(before + first, after + first, 16 * sizeof(PyObject*)) == 0:
        first += 16
    while first < end and before[first] == after[first]:
        first += 1
    return first

cdef inline void rotate(
    unsigned char[::1] cells, unsigned char[::1] spare, Py_ssize_t first, Py_ssize_t size, Py_ssize_t moved
) noexcept:
    # the shorter part waits in the spare ones
    cdef unsigned char* start = &cells[first]
    cdef Py_ssize_t rest = size - moved
    if moved <= rest:
        memcpy(&spare[0], start, moved)
        memmove(start, start + moved, rest)
        memcpy(start + rest, &spare[0], moved)
    else:
        memcpy(&spare[0], start + moved, rest)
        memmove(start + rest, start, moved)
        memcpy(start, &spare[0], rest)

cdef inline void clear(unsigned char[::1] view, Py_ssize_t first, Py_ssize_t size) noexcept:
    memset(&view[first], 0, size)
