! Variables that no decomposition divides: written whole, or frames of them. For module pio alone.
!
! A procedure for each rank of the values: Fortran 2008 has no argument of any rank. Dimensions come fastest first, and
! starts count from 1.
module bundleio_pio_put
  use, intrinsic :: iso_c_binding
  use bundleio_array
  use bundleio_pio_c
  use bundleio_pio_types
  implicit none
  private
  public :: pio_put_var, part_facts, look_at

  ! The part of a variable that a call takes, fastest dimension first and from 1; without addresses all of it.
  type :: part_facts
    integer(c_int) :: given = 0  ! values of start, and of count
    integer(c_int64_t), allocatable :: start(:), count(:)
    type(c_ptr) :: first_start = c_null_ptr, first_count = c_null_ptr
  end type

  interface pio_put_var
    module procedure all_0, all_1, all_2, all_3, all_4, all_5
    module procedure all_desc_0, all_desc_1, all_desc_2, all_desc_3, all_desc_4, all_desc_5
    module procedure value_id, value_desc, part_1, part_2, part_3, part_4, part_5
    module procedure part_desc_1, part_desc_2, part_desc_3, part_desc_4, part_desc_5
  end interface

contains

  ! A start without a count is an error.
  subroutine look_at(part, start, count)
    type(part_facts), intent(inout), target :: part
    integer, intent(in), optional :: start(:), count(:)
    integer :: many
    if (.not. (present(start) .and. present(count))) return
    part%given = size(start)
    ! Of one value more, since none has no address.
    allocate (part%start(part%given + 1), part%count(part%given + 1))
    part%start = 1
    part%count = -1
    many = min(size(start), size(count))
    part%start(:size(start)) = start
    part%count(:many) = count(:many)
    part%first_start = c_loc(part%start)
    part%first_count = c_loc(part%count)
  end subroutine

  integer function put_facts(file, varid, facts, start, count) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    type(array_facts), intent(in) :: facts
    integer, intent(in), optional :: start(:), count(:)
    type(part_facts), target :: part
    call look_at(part, start, count)
    ierr = c_put(file%fh, varid - 1, facts%kind, merge(1, 0, facts%is_contiguous), facts%count, part%given, part%first_start, &
                 part%first_count, facts%first)
  end function

  integer function all_0(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(in), target :: ival
    ierr = put_facts(file, varid, facts_of(ival))
  end function

  integer function all_1(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(in), target :: ival(:)
    ierr = put_facts(file, varid, facts_of(ival))
  end function

  integer function all_2(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(in), target :: ival(:, :)
    ierr = put_facts(file, varid, facts_of(ival))
  end function

  integer function all_3(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(in), target :: ival(:, :, :)
    ierr = put_facts(file, varid, facts_of(ival))
  end function

  integer function all_4(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(in), target :: ival(:, :, :, :)
    ierr = put_facts(file, varid, facts_of(ival))
  end function

  integer function all_5(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(in), target :: ival(:, :, :, :, :)
    ierr = put_facts(file, varid, facts_of(ival))
  end function

  integer function all_desc_0(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(in), target :: ival
    ierr = put_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_1(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(in), target :: ival(:)
    ierr = put_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_2(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(in), target :: ival(:, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_3(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(in), target :: ival(:, :, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_4(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(in), target :: ival(:, :, :, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_5(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(in), target :: ival(:, :, :, :, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function value_id(file, varid, index, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, index(:)
    class(*), intent(in), target :: ival
    integer :: i
    ierr = put_facts(file, varid, facts_of(ival), index, [(1, i = 1, size(index))])
  end function

  integer function value_desc(file, vardesc, index, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: index(:)
    class(*), intent(in), target :: ival
    ierr = value_id(file, vardesc%varid, index, ival)
  end function

  integer function part_1(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(in), target :: ival(:)
    ierr = put_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_2(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(in), target :: ival(:, :)
    ierr = put_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_3(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(in), target :: ival(:, :, :)
    ierr = put_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_4(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(in), target :: ival(:, :, :, :)
    ierr = put_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_5(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(in), target :: ival(:, :, :, :, :)
    ierr = put_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_desc_1(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(in), target :: ival(:)
    ierr = put_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_2(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(in), target :: ival(:, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_3(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(in), target :: ival(:, :, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_4(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(in), target :: ival(:, :, :, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_5(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(in), target :: ival(:, :, :, :, :)
    ierr = put_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

end module
