# What the names in elements.py are in C, for Cython.

cimport cython
from ballcourt.engine.core cimport bulk

cdef class Target:
    cdef float[::1] vector
    cdef Py_ssize_t observer

cdef class Code:
    cdef write(self, Target target, Py_ssize_t at, Py_ssize_t before, Py_ssize_t after)

cdef class Scaled(Code):
    cdef double factor
    cdef write(self, Target target, Py_ssize_t at, Py_ssize_t before, Py_ssize_t after)

cdef class Set(Code):
    cdef Py_ssize_t first
    cdef Py_ssize_t size
    @cython.locals(now=Py_ssize_t, changed=Py_ssize_t, bit=Py_ssize_t)
    cdef write(self, Target target, Py_ssize_t at, Py_ssize_t before, Py_ssize_t after)

cdef class Choice(Code):
    cdef Py_ssize_t least
    cdef list ones
    cdef Py_ssize_t size
    @cython.locals(ones=list)
    cdef write(self, Target target, Py_ssize_t at, Py_ssize_t before, Py_ssize_t after)
    @cython.locals(before=list, after=list, index=Py_ssize_t, number=Py_ssize_t)
    cdef turn(self, Target target, Py_ssize_t at, list row, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t observer)
    @cython.locals(element=Py_ssize_t)
    cdef _move(self, Target target, Py_ssize_t at, list before, list after)

cdef class Column:
    cdef Code code
    cdef Py_ssize_t at
    cdef Py_ssize_t stride

cdef class Run:
    cdef readonly Choice choice
    cdef readonly Py_ssize_t start
    cdef public Py_ssize_t stop

cdef class Span:
    cdef readonly Py_ssize_t first
    cdef readonly Py_ssize_t size

cdef class RowPlan:
    cdef list blank
    cdef list label_of
    cdef list columns
    cdef list spans
    cdef list runs
    @cython.locals(width=Py_ssize_t, index=Py_ssize_t, numbers=list, column=Column)
    cdef write(self, Target target, Py_ssize_t place, list known, list row)
    @cython.locals(same=Py_ssize_t, common=Py_ssize_t, index=Py_ssize_t)
    cdef _recount(self, Target target, Py_ssize_t place, list known, list row)
    @cython.locals(label=Py_ssize_t, column=Column)
    cdef _count(self, Target target, Py_ssize_t place, Py_ssize_t number, float change)
    @cython.locals(run=Run, column=Column)
    cdef turn(self, Target target, Py_ssize_t place, list known, Py_ssize_t observer)
    @cython.locals(span=Span)
    cdef rotate(self, Target target, float[::1] spare, Py_ssize_t seats, Py_ssize_t turns)

cdef class VectorPlan:
    cdef readonly Py_ssize_t elements
    cdef Py_ssize_t seats
    cdef readonly Py_ssize_t places
    cdef readonly list public
    cdef readonly list actors
    cdef RowPlan presence
    cdef readonly list private
    cdef RowPlan question
    cdef RowPlan waiting
    cdef list details
    cdef Py_ssize_t count_row
    cdef float[::1] spare
    cpdef Py_ssize_t actor_count(self, Py_ssize_t seats, list rows)
    @cython.locals(column=Py_ssize_t, at=Py_ssize_t, numbers=list)
    cdef list question_numbers(self, Py_ssize_t kind, list top)

cdef class Look:
    cdef VectorPlan plan
    cdef Py_ssize_t seats
    cdef Target target
    cdef list plans
    cdef list actors
    cdef list known
    @cython.locals(seen=list, index=Py_ssize_t, plan=RowPlan)
    cpdef see(self, Py_ssize_t observer, list rows, list private, Py_ssize_t kind, list top, list below)
    @cython.locals(plan=VectorPlan, actor=Py_ssize_t)
    cdef _begin(self, Py_ssize_t observer, Py_ssize_t actors)
    @cython.locals(seats=Py_ssize_t)
    cdef Py_ssize_t _place_of(self, Py_ssize_t actor)
    @cython.locals(plan=VectorPlan, target=Target, index=Py_ssize_t, row_plan=RowPlan, turns=Py_ssize_t)
    cdef _turn(self, Py_ssize_t observer)

cdef class Mask:
    cdef unsigned char[::1] view
    @cython.locals(action=Py_ssize_t)
    cpdef allow(self, list actions)
