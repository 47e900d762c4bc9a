! A complete step of a run, open for reading: the part of module bundleio that needs no file.
module bundleio_reader
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use bundleio_array
  use bundleio_c
  use bundleio_context
  implicit none
  private
  public :: bio_reader

  type :: bio_reader
    private
    type(c_ptr) :: handle = c_null_ptr
    type(c_ptr) :: context = c_null_ptr
  contains
    procedure :: open => reader_open
    procedure :: step => reader_step
    procedure :: shape => reader_shape
    procedure, private :: get_0, get_1, get_2, get_3, get_4, get_5
    generic :: get => get_0, get_1, get_2, get_3, get_4, get_5
    procedure, private :: get_facts
    procedure :: close => reader_close
  end type

contains

  ! Whose message an error of this reader has: nobody's before it is opened and after it is closed.
  function owner(reader) result(context)
    class(bio_reader), intent(in) :: reader
    type(c_ptr) :: context
    context = c_null_ptr
    if (c_associated(reader%handle)) context = reader%context
  end function

  ! The last step, if none is named.
  subroutine reader_open(self, context, path, step, options, status)
    class(bio_reader), intent(inout) :: self
    type(bio_context), intent(in) :: context
    character(*), intent(in) :: path
    integer(int64), intent(in), optional :: step
    character(*), intent(in), optional :: options
    integer, intent(out), optional :: status
    character(:), allocatable :: given
    integer(int64) :: wanted
    given = ''
    if (present(options)) given = options
    wanted = bio_last_step
    if (present(step)) wanted = step
    self%handle = c_null_ptr
    self%context = context%handle
    call settle(c_read_open(context%handle, c_text(path), wanted, c_text(given), self%handle), context%handle, status)
  end subroutine

  subroutine reader_step(self, number, status)
    class(bio_reader), intent(in) :: self
    integer(int64), intent(out) :: number
    integer, intent(out), optional :: status
    number = -1
    call settle(c_read_step(self%handle, number), owner(self), status)
  end subroutine

  ! Lengths fastest first; kind is one of bio_int8 to bio_float64.
  subroutine reader_shape(self, bundle, variable, kind, lengths, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    integer, intent(out) :: kind
    integer(int64), allocatable, intent(out) :: lengths(:)
    integer, intent(out), optional :: status
    integer, parameter :: dimensions_max = 1024  ! NetCDF's
    integer(c_int64_t) :: found(dimensions_max)
    integer(c_int) :: code, found_kind, dims
    dims = dimensions_max
    found_kind = bio_no_type
    code = c_read_shape(self%handle, c_text(bundle), c_text(variable), found_kind, dims, found)
    if (code /= bio_ok) dims = 0
    kind = found_kind
    lengths = found(dims:1:-1)
    call settle(code, owner(self), status)
  end subroutine

  ! A section with gaps has no type that could be read: the error is that of all ranks.
  subroutine get_facts(self, bundle, variable, facts, decomposition, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    type(array_facts), intent(in) :: facts
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    integer(c_int) :: kind, used
    used = bio_on_root
    if (present(decomposition)) used = int(decomposition, c_int)
    kind = facts%kind
    if (.not. facts%is_contiguous) kind = bio_no_type
    call settle(c_get(self%handle, c_text(bundle), c_text(variable), kind, used, facts%count, facts%first), &
                owner(self), status)
  end subroutine

  subroutine reader_close(self, status)
    class(bio_reader), intent(inout) :: self
    integer, intent(out), optional :: status
    call settle(c_read_close(self%handle), owner(self), status)
    self%handle = c_null_ptr
  end subroutine

  ! One for each rank of get, as in bio_file.

  subroutine get_0(self, bundle, variable, values, decomposition, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    call self%get_facts(bundle, variable, facts_of(values), decomposition, status)
  end subroutine

  subroutine get_1(self, bundle, variable, values, decomposition, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:)
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    call self%get_facts(bundle, variable, facts_of(values), decomposition, status)
  end subroutine

  subroutine get_2(self, bundle, variable, values, decomposition, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :)
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    call self%get_facts(bundle, variable, facts_of(values), decomposition, status)
  end subroutine

  subroutine get_3(self, bundle, variable, values, decomposition, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :, :)
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    call self%get_facts(bundle, variable, facts_of(values), decomposition, status)
  end subroutine

  subroutine get_4(self, bundle, variable, values, decomposition, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :, :, :)
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    call self%get_facts(bundle, variable, facts_of(values), decomposition, status)
  end subroutine

  subroutine get_5(self, bundle, variable, values, decomposition, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :, :, :, :)
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    call self%get_facts(bundle, variable, facts_of(values), decomposition, status)
  end subroutine

end module
