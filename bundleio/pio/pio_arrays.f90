! Calls of module pio that take values of any type: attributes and distributed arrays.
module bundleio_pio_arrays
  use, intrinsic :: iso_c_binding
  use bundleio_array
  use bundleio_context, only: c_text
  use bundleio_pio_c
  use bundleio_pio_types
  implicit none
  private
  public :: pio_put_att, pio_write_darray, pio_read_darray, pio_type

  interface pio_put_att
    module procedure attribute_id, attribute_desc, attributes_id, attributes_desc
  end interface
  interface pio_write_darray
    module procedure write_1, write_2, write_3, write_4, write_5
  end interface
  interface pio_read_darray
    module procedure read_1, read_2, read_3, read_4, read_5
  end interface

contains

  ! Numbers of types in PIO, for those that Fortran has.
  integer(c_int) function pio_type(kind) result(number)
    integer(c_int), intent(in) :: kind
    select case (kind)
    case (bio_text)
      number = pio_char
    case (bio_int8)
      number = 1
    case (bio_int16)
      number = pio_short
    case (bio_int32)
      number = pio_int
    case (bio_int64)
      number = 10
    case (bio_float32)
      number = pio_real
    case (bio_float64)
      number = pio_double
    case default
      number = 0
    end select
  end function

  integer function put_facts(file, varid, name, facts) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    type(array_facts), intent(in) :: facts
    integer(c_int) :: kind
    kind = merge(facts%kind, bio_no_type, facts%is_contiguous)
    ierr = c_put_att(file%fh, varid - 1, c_text(name), pio_type(kind), facts%count, facts%first)
  end function

  integer function attribute_id(file, varid, name, value) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    class(*), intent(in), target :: value
    type(array_facts) :: facts
    facts = facts_of(value)
    ! Blanks at the end of a text are Fortran's, not the model's.
    select type (value)
    type is (character(*))
      facts%count = len_trim(value)
    end select
    ierr = put_facts(file, varid, name, facts)
  end function

  integer function attribute_desc(file, vardesc, name, value) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(in) :: name
    class(*), intent(in), target :: value
    ierr = attribute_id(file, vardesc%varid, name, value)
  end function

  integer function attributes_id(file, varid, name, values) result(ierr)
    type(file_desc_t), intent(in) :: file
    integer, intent(in) :: varid
    character(*), intent(in) :: name
    class(*), intent(in), target :: values(:)
    ierr = put_facts(file, varid, name, facts_of(values))
  end function

  integer function attributes_desc(file, vardesc, name, values) result(ierr)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    character(*), intent(in) :: name
    class(*), intent(in), target :: values(:)
    ierr = attributes_id(file, vardesc%varid, name, values)
  end function

  integer(c_int) function checked(file, vardesc, iodesc, facts) result(status)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    type(io_desc_t), intent(in) :: iodesc
    type(array_facts), intent(in) :: facts
    status = c_check(file%fh, vardesc%varid - 1, iodesc%ioid, facts%kind, merge(1, 0, facts%is_contiguous))
  end function

  subroutine write_facts(file, vardesc, iodesc, facts, iostat, fillval)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    type(io_desc_t), intent(in) :: iodesc
    type(array_facts), intent(in) :: facts
    integer, intent(out) :: iostat
    class(*), intent(in), optional, target :: fillval
    type(array_facts) :: fill
    if (present(fillval)) fill = facts_of(fillval)
    iostat = checked(file, vardesc, iodesc, facts)
    if (iostat == pio_noerr .and. present(fillval)) iostat = checked(file, vardesc, iodesc, fill)
    if (iostat == pio_noerr) iostat = c_write(file%fh, vardesc%varid - 1, iodesc%ioid, facts%count, facts%first, fill%first)
  end subroutine

  subroutine read_facts(file, vardesc, iodesc, facts, iostat)
    type(file_desc_t), intent(in) :: file
    type(var_desc_t), intent(in) :: vardesc
    type(io_desc_t), intent(in) :: iodesc
    type(array_facts), intent(in) :: facts
    integer, intent(out) :: iostat
    iostat = checked(file, vardesc, iodesc, facts)
    if (iostat == pio_noerr) iostat = c_read(file%fh, vardesc%varid - 1, iodesc%ioid, facts%count, facts%first)
  end subroutine

  subroutine write_1(file, vardesc, iodesc, array, iostat, fillval)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(in), target :: array(:)
    integer, intent(out) :: iostat
    class(*), intent(in), optional, target :: fillval
    call write_facts(file, vardesc, iodesc, facts_of(array), iostat, fillval)
  end subroutine

  subroutine write_2(file, vardesc, iodesc, array, iostat, fillval)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(in), target :: array(:, :)
    integer, intent(out) :: iostat
    class(*), intent(in), optional, target :: fillval
    call write_facts(file, vardesc, iodesc, facts_of(array), iostat, fillval)
  end subroutine

  subroutine write_3(file, vardesc, iodesc, array, iostat, fillval)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(in), target :: array(:, :, :)
    integer, intent(out) :: iostat
    class(*), intent(in), optional, target :: fillval
    call write_facts(file, vardesc, iodesc, facts_of(array), iostat, fillval)
  end subroutine

  subroutine write_4(file, vardesc, iodesc, array, iostat, fillval)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(in), target :: array(:, :, :, :)
    integer, intent(out) :: iostat
    class(*), intent(in), optional, target :: fillval
    call write_facts(file, vardesc, iodesc, facts_of(array), iostat, fillval)
  end subroutine

  subroutine write_5(file, vardesc, iodesc, array, iostat, fillval)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(in), target :: array(:, :, :, :, :)
    integer, intent(out) :: iostat
    class(*), intent(in), optional, target :: fillval
    call write_facts(file, vardesc, iodesc, facts_of(array), iostat, fillval)
  end subroutine

  subroutine read_1(file, vardesc, iodesc, array, iostat)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(inout), target :: array(:)
    integer, intent(out) :: iostat
    call read_facts(file, vardesc, iodesc, facts_of(array), iostat)
  end subroutine

  subroutine read_2(file, vardesc, iodesc, array, iostat)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(inout), target :: array(:, :)
    integer, intent(out) :: iostat
    call read_facts(file, vardesc, iodesc, facts_of(array), iostat)
  end subroutine

  subroutine read_3(file, vardesc, iodesc, array, iostat)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(inout), target :: array(:, :, :)
    integer, intent(out) :: iostat
    call read_facts(file, vardesc, iodesc, facts_of(array), iostat)
  end subroutine

  subroutine read_4(file, vardesc, iodesc, array, iostat)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(inout), target :: array(:, :, :, :)
    integer, intent(out) :: iostat
    call read_facts(file, vardesc, iodesc, facts_of(array), iostat)
  end subroutine

  subroutine read_5(file, vardesc, iodesc, array, iostat)
    type(file_desc_t), intent(inout) :: file
    type(var_desc_t), intent(inout) :: vardesc
    type(io_desc_t), intent(inout) :: iodesc
    class(*), intent(inout), target :: array(:, :, :, :, :)
    integer, intent(out) :: iostat
    call read_facts(file, vardesc, iodesc, facts_of(array), iostat)
  end subroutine

end module
