# What the names in looks.py are in C, for Cython.

cimport cython
from ballcourt.engine.core.vectors cimport bulk
from ballcourt.engine.core.vectors.elements cimport Column, Span, Target

cdef class RowPlan:
    cdef list blank
    cdef list label_of
    cdef list columns
    cdef bint replaced
    @cython.locals(width=Py_ssize_t, index=Py_ssize_t, same=Py_ssize_t, numbers=list, column=Column)
    cdef list write(self, Target target, Py_ssize_t place, list known, list row)
    @cython.locals(label=Py_ssize_t, column=Column)
    cdef count(self, Target target, Py_ssize_t place, Py_ssize_t number, Py_ssize_t change)
    cdef list _whole(self, list row)
    @cython.locals(same=Py_ssize_t, index=Py_ssize_t)
    cdef Py_ssize_t _recount(self, Target target, Py_ssize_t place, list known, list numbers) except -1

cdef class Details:
    cdef long long[::1] columns
    cdef long long[::1] places

cdef class QuestionPlan:
    cdef list blank
    cdef list columns
    cdef list details
    @cython.locals(before=Py_ssize_t)
    cdef write(self, Target target, list known, Py_ssize_t kind, list numbers)
    @cython.locals(old=Details, new=Details, index=Py_ssize_t, column=Py_ssize_t)
    cdef _turn_to(self, Target target, list known, Py_ssize_t before, Py_ssize_t kind)
    @cython.locals(index=Py_ssize_t, column=Py_ssize_t, place=Py_ssize_t)
    cdef _describe(self, Target target, list known, Details details, list row)
    @cython.locals(column=Column)
    cdef _put(self, Target target, list known, Py_ssize_t index, number)

cdef class VectorPlan:
    cdef readonly Py_ssize_t elements
    cdef readonly Py_ssize_t width
    cdef Py_ssize_t seats
    cdef readonly list public
    cdef readonly list actors
    cdef RowPlan presence
    cdef readonly list private
    cdef QuestionPlan question
    cdef RowPlan waiting
    cdef Py_ssize_t count_row
    cdef list spans
    cdef unsigned char[::1] spare
    cpdef Py_ssize_t actor_count(self, Py_ssize_t seats, list rows)

cdef class Look:
    cdef VectorPlan plan
    cdef Py_ssize_t seats
    cdef Target target
    cdef list plans
    cdef list actors
    cdef list known
    cdef list question
    cdef list waiting
    cpdef see(self, Py_ssize_t observer, list rows, list private, list frames, list numbers)
    @cython.locals(plan=VectorPlan, actor=Py_ssize_t)
    cdef _begin(self, Py_ssize_t observer, Py_ssize_t actors)
    @cython.locals(seats=Py_ssize_t)
    cdef Py_ssize_t _place_of(self, Py_ssize_t actor)
    @cython.locals(plan=VectorPlan, target=Target, span=Span, turns=Py_ssize_t)
    cdef _turn(self, Py_ssize_t observer)
    @cython.locals(index=Py_ssize_t, at=Py_ssize_t, plan=RowPlan)
    cdef _write(self, list rows, Py_ssize_t first)
    @cython.locals(waiting=list, below=Py_ssize_t, same=Py_ssize_t, index=Py_ssize_t)
    cdef _wait(self, list frames)
