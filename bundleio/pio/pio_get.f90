! The same variables read, whole or a part of them, on all ranks. For module pio alone; see bundleio_pio_put.
module bundleio_pio_get
  use, intrinsic :: iso_c_binding
  use bundleio_array
  use bundleio_pio_c
  use bundleio_pio_put, only: part_facts, look_at
  use bundleio_pio_types
  implicit none
  private
  public :: pio_get_var

  interface pio_get_var
    module procedure all_0, all_1, all_2, all_3, all_4, all_5
    module procedure all_desc_0, all_desc_1, all_desc_2, all_desc_3, all_desc_4, all_desc_5
    module procedure value_id, value_desc, part_1, part_2, part_3, part_4, part_5
    module procedure part_desc_1, part_desc_2, part_desc_3, part_desc_4, part_desc_5
  end interface

contains

  integer function get_facts(file, varid, facts, start, count) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    type(array_facts), intent(in) :: facts
    integer, intent(in), optional :: start(:), count(:)
    type(part_facts), target :: part
    call look_at(part, start, count)
    ierr = c_get(file%fh, varid - 1, facts%kind, merge(1, 0, facts%is_contiguous), facts%count, part%given, part%first_start, &
                 part%first_count, facts%first)
  end function

  integer function all_0(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(inout), target :: ival
    ierr = get_facts(file, varid, facts_of(ival))
  end function

  integer function all_1(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(inout), target :: ival(:)
    ierr = get_facts(file, varid, facts_of(ival))
  end function

  integer function all_2(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(inout), target :: ival(:, :)
    ierr = get_facts(file, varid, facts_of(ival))
  end function

  integer function all_3(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(inout), target :: ival(:, :, :)
    ierr = get_facts(file, varid, facts_of(ival))
  end function

  integer function all_4(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(inout), target :: ival(:, :, :, :)
    ierr = get_facts(file, varid, facts_of(ival))
  end function

  integer function all_5(file, varid, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    class(*), intent(inout), target :: ival(:, :, :, :, :)
    ierr = get_facts(file, varid, facts_of(ival))
  end function

  integer function all_desc_0(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(inout), target :: ival
    ierr = get_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_1(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(inout), target :: ival(:)
    ierr = get_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_2(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(inout), target :: ival(:, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_3(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(inout), target :: ival(:, :, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_4(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(inout), target :: ival(:, :, :, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function all_desc_5(file, vardesc, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    class(*), intent(inout), target :: ival(:, :, :, :, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival))
  end function

  integer function value_id(file, varid, index, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, index(:)
    class(*), intent(inout), target :: ival
    integer :: i
    ierr = get_facts(file, varid, facts_of(ival), index, [(1, i = 1, size(index))])
  end function

  integer function value_desc(file, vardesc, index, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: index(:)
    class(*), intent(inout), target :: ival
    ierr = value_id(file, vardesc%varid, index, ival)
  end function

  integer function part_1(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(inout), target :: ival(:)
    ierr = get_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_2(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(inout), target :: ival(:, :)
    ierr = get_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_3(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(inout), target :: ival(:, :, :)
    ierr = get_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_4(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(inout), target :: ival(:, :, :, :)
    ierr = get_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_5(file, varid, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid, start(:), count(:)
    class(*), intent(inout), target :: ival(:, :, :, :, :)
    ierr = get_facts(file, varid, facts_of(ival), start, count)
  end function

  integer function part_desc_1(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(inout), target :: ival(:)
    ierr = get_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_2(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(inout), target :: ival(:, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_3(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(inout), target :: ival(:, :, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_4(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(inout), target :: ival(:, :, :, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

  integer function part_desc_5(file, vardesc, start, count, ival) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    integer, intent(in) :: start(:), count(:)
    class(*), intent(inout), target :: ival(:, :, :, :, :)
    ierr = get_facts(file, vardesc%varid, facts_of(ival), start, count)
  end function

end module
