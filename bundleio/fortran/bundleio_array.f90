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
    integer(c_int64_t) :: bytes = 0  ! of a value; of a scalar text all of it
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

  ! Of an array of which no gap is known yet. Texts of several letters are no values of one type side by side.
  function facts_from(first, lengths) result(facts)
    class(*), intent(in), target :: first
    integer(int64), intent(in) :: lengths(:)
    type(array_facts) :: facts
    integer(c_int64_t) :: ones
    call describe(first, facts%kind, facts%bytes, facts%first, ones)
    facts%count = product(lengths)
    if (facts%kind == bio_text .and. facts%bytes /= 1) facts%kind = bio_no_type
  end function

  ! Without gaps the second element along a dimension lies as many elements behind the first as the dimensions before it
  ! have together. Each dimension is looked at: a reversed one and the gaps of another can make up for each other.
  subroutine look(facts, second, lengths, dimension)
    type(array_facts), intent(inout) :: facts
    class(*), intent(in), target :: second
    integer(int64), intent(in) :: lengths(:)
    integer, intent(in) :: dimension
    integer(c_int64_t) :: bytes, ones
    integer(c_int) :: kind
    type(c_ptr) :: place
    if (facts%kind == bio_no_type .or. lengths(dimension) < 2) return
    call describe(second, kind, bytes, place, ones)
    if (transfer(place, 0_c_intptr_t) - transfer(facts%first, 0_c_intptr_t) /= product(lengths(:dimension - 1)) * bytes) &
      facts%is_contiguous = .false.
  end subroutine

  function facts_of_scalar(value) result(facts)
    class(*), intent(in), target :: value
    type(array_facts) :: facts
    call describe(value, facts%kind, facts%bytes, facts%first, facts%count)
  end function

  function facts_of_1(values) result(facts)
    class(*), intent(in), target :: values(:)
    type(array_facts) :: facts
    integer(int64) :: n(1)
    n = shape(values, int64)
    if (product(n) == 0) return
    facts = facts_from(values(1), n)
    call look(facts, values(min(2_int64, n(1))), n, 1)
  end function

  function facts_of_2(values) result(facts)
    class(*), intent(in), target :: values(:, :)
    type(array_facts) :: facts
    integer(int64) :: n(2)
    n = shape(values, int64)
    if (product(n) == 0) return
    facts = facts_from(values(1, 1), n)
    call look(facts, values(min(2_int64, n(1)), 1), n, 1)
    call look(facts, values(1, min(2_int64, n(2))), n, 2)
  end function

  function facts_of_3(values) result(facts)
    class(*), intent(in), target :: values(:, :, :)
    type(array_facts) :: facts
    integer(int64) :: n(3)
    n = shape(values, int64)
    if (product(n) == 0) return
    facts = facts_from(values(1, 1, 1), n)
    call look(facts, values(min(2_int64, n(1)), 1, 1), n, 1)
    call look(facts, values(1, min(2_int64, n(2)), 1), n, 2)
    call look(facts, values(1, 1, min(2_int64, n(3))), n, 3)
  end function

  function facts_of_4(values) result(facts)
    class(*), intent(in), target :: values(:, :, :, :)
    type(array_facts) :: facts
    integer(int64) :: n(4)
    n = shape(values, int64)
    if (product(n) == 0) return
    facts = facts_from(values(1, 1, 1, 1), n)
    call look(facts, values(min(2_int64, n(1)), 1, 1, 1), n, 1)
    call look(facts, values(1, min(2_int64, n(2)), 1, 1), n, 2)
    call look(facts, values(1, 1, min(2_int64, n(3)), 1), n, 3)
    call look(facts, values(1, 1, 1, min(2_int64, n(4))), n, 4)
  end function

  function facts_of_5(values) result(facts)
    class(*), intent(in), target :: values(:, :, :, :, :)
    type(array_facts) :: facts
    integer(int64) :: n(5)
    n = shape(values, int64)
    if (product(n) == 0) return
    facts = facts_from(values(1, 1, 1, 1, 1), n)
    call look(facts, values(min(2_int64, n(1)), 1, 1, 1, 1), n, 1)
    call look(facts, values(1, min(2_int64, n(2)), 1, 1, 1), n, 2)
    call look(facts, values(1, 1, min(2_int64, n(3)), 1, 1), n, 3)
    call look(facts, values(1, 1, 1, min(2_int64, n(4)), 1), n, 4)
    call look(facts, values(1, 1, 1, 1, min(2_int64, n(5))), n, 5)
  end function

end module
