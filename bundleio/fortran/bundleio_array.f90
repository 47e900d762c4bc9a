! The facts that the C interface needs of an array or scalar of any type and rank: for module bundleio alone.
!
! Nothing is copied: the address is that of the caller's first element. The compiler's is_contiguous
! cannot be asked, because gfortran 12 answers .true. for every unlimited polymorphic section.
module bundleio_array
  use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_loc, c_int, c_int64_t, c_intptr_t
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  private
  public :: array_facts, facts_of

  integer(c_int), parameter, public :: bio_any = -1, bio_no_type = -2
  integer, parameter, public :: bio_text = 0, bio_int8 = 1, bio_uint8 = 2, bio_int16 = 3, bio_uint16 = 4
  integer, parameter, public :: bio_int32 = 5, bio_uint32 = 6, bio_int64 = 7, bio_uint64 = 8
  integer, parameter, public :: bio_float32 = 9, bio_float64 = 10

  type :: array_facts
    integer(c_int) :: kind = bio_any
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: first = c_null_ptr
    logical :: is_contiguous = .true.
  end type

  interface facts_of
    module procedure facts_of_scalar, facts_of_1, facts_of_2, facts_of_3, facts_of_4, facts_of_5
  end interface

contains

  ! A text has as many values as letters; anything else is one value.
  subroutine describe(value, kind, bytes, address, count)
    class(*), intent(in), target :: value
    integer(c_int), intent(out) :: kind
    integer(c_int64_t), intent(out) :: bytes, count
    type(c_ptr), intent(out) :: address
    count = 1
    bytes = storage_size(value, c_int64_t) / 8
    address = c_null_ptr
    kind = bio_no_type
    select type (value)
    type is (integer(int8))
      kind = bio_int8
      address = c_loc(value)
    type is (integer(int16))
      kind = bio_int16
      address = c_loc(value)
    type is (integer(int32))
      kind = bio_int32
      address = c_loc(value)
    type is (integer(int64))
      kind = bio_int64
      address = c_loc(value)
    type is (real(real32))
      kind = bio_float32
      address = c_loc(value)
    type is (real(real64))
      kind = bio_float64
      address = c_loc(value)
    type is (character(*))
      kind = bio_text
      address = c_loc(value)
      count = len(value)
    end select
  end subroutine

  ! Without gaps the last element lies count - 1 elements behind the first.
  function facts_between(first, last, count) result(facts)
    class(*), intent(in), target :: first, last
    integer(int64), intent(in) :: count
    type(array_facts) :: facts
    type(c_ptr) :: end
    integer(c_int) :: kind
    integer(c_int64_t) :: bytes, ones
    call describe(last, kind, bytes, end, ones)
    call describe(first, facts%kind, bytes, facts%first, ones)
    facts%count = count
    facts%is_contiguous = transfer(end, 0_c_intptr_t) - transfer(facts%first, 0_c_intptr_t) == (count - 1) * bytes &
                          .or. facts%kind == bio_no_type
  end function

  function facts_of_scalar(value) result(facts)
    class(*), intent(in), target :: value
    type(array_facts) :: facts
    integer(c_int64_t) :: bytes
    call describe(value, facts%kind, bytes, facts%first, facts%count)
  end function

  function facts_of_1(values) result(facts)
    class(*), intent(in), target :: values(:)
    type(array_facts) :: facts
    integer(int64) :: n(1)
    n = shape(values, int64)
    if (product(n) > 0) facts = facts_between(values(1), values(n(1)), product(n))
  end function

  function facts_of_2(values) result(facts)
    class(*), intent(in), target :: values(:, :)
    type(array_facts) :: facts
    integer(int64) :: n(2)
    n = shape(values, int64)
    if (product(n) > 0) facts = facts_between(values(1, 1), values(n(1), n(2)), product(n))
  end function

  function facts_of_3(values) result(facts)
    class(*), intent(in), target :: values(:, :, :)
    type(array_facts) :: facts
    integer(int64) :: n(3)
    n = shape(values, int64)
    if (product(n) > 0) facts = facts_between(values(1, 1, 1), values(n(1), n(2), n(3)), product(n))
  end function

  function facts_of_4(values) result(facts)
    class(*), intent(in), target :: values(:, :, :, :)
    type(array_facts) :: facts
    integer(int64) :: n(4)
    n = shape(values, int64)
    if (product(n) > 0) facts = facts_between(values(1, 1, 1, 1), values(n(1), n(2), n(3), n(4)), product(n))
  end function

  function facts_of_5(values) result(facts)
    class(*), intent(in), target :: values(:, :, :, :, :)
    type(array_facts) :: facts
    integer(int64) :: n(5)
    n = shape(values, int64)
    if (product(n) > 0) facts = facts_between(values(1, 1, 1, 1, 1), values(n(1), n(2), n(3), n(4), n(5)), product(n))
  end function

end module
