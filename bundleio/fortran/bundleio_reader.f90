! A complete step of a run, open for reading: the part of module bundleio that needs no open run.
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
    procedure :: bundles => reader_bundles
    procedure :: variables => reader_variables
    procedure :: dimensions => reader_dimensions
    procedure :: dimension => reader_dimension
    procedure :: attributes => reader_attributes
    procedure :: attribute_shape => reader_attribute_shape
    procedure, private :: attribute_value, attribute_values
    generic :: attribute => attribute_value, attribute_values
    procedure :: attribute_text => reader_attribute_text
    procedure :: shape => reader_shape
    procedure, private :: get_0, get_1, get_2, get_3, get_4, get_5
    generic :: get => get_0, get_1, get_2, get_3, get_4, get_5
    procedure, private :: slab_1, slab_2, slab_3, slab_4, slab_5
    generic :: slab => slab_1, slab_2, slab_3, slab_4, slab_5
    procedure, private :: get_facts, get_attribute, slab_facts, list
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

  ! Blanks fill shorter names. Of fixed length: gfortran 12 warns wherever an array of a length that is not known is used.
  subroutine reader_bundles(self, names, status)
    class(bio_reader), intent(in) :: self
    character(bio_name_max), allocatable, intent(out) :: names(:)
    integer, intent(out), optional :: status
    call self%list(0_c_int, '', '', names, status)
  end subroutine

  subroutine reader_variables(self, bundle, names, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle
    character(bio_name_max), allocatable, intent(out) :: names(:)
    integer, intent(out), optional :: status
    call self%list(1_c_int, bundle, '', names, status)
  end subroutine

  ! Of a variable, fastest first; of the bundle, if the variable's name is empty.
  subroutine reader_dimensions(self, bundle, variable, names, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    character(bio_name_max), allocatable, intent(out) :: names(:)
    integer, intent(out), optional :: status
    call self%list(2_c_int, bundle, variable, names, status)
    if (variable /= '') names = names(size(names):1:-1)
  end subroutine

  ! One that is unlimited has one entry in a step.
  subroutine reader_dimension(self, bundle, name, length, unlimited, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, name
    integer(int64), intent(out) :: length
    logical, intent(out) :: unlimited
    integer, intent(out), optional :: status
    integer(c_int) :: grows
    length = 0
    grows = 0
    call settle(c_read_dim(self%handle, c_text(bundle), c_text(name), length, grows), owner(self), status)
    unlimited = grows /= 0
  end subroutine

  ! Of the bundle, if the variable's name is empty.
  subroutine reader_attributes(self, bundle, variable, names, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    character(bio_name_max), allocatable, intent(out) :: names(:)
    integer, intent(out), optional :: status
    call self%list(3_c_int, bundle, variable, names, status)
  end subroutine

  subroutine list(self, what, bundle, variable, names, status)
    class(bio_reader), intent(in) :: self
    integer(c_int), intent(in) :: what
    character(*), intent(in) :: bundle, variable
    character(bio_name_max), allocatable, intent(out) :: names(:)
    integer, intent(out), optional :: status
    type(c_ptr) :: first
    type(c_ptr), pointer :: texts(:)
    integer(c_int) :: code, count
    integer :: i
    count = 0
    first = c_null_ptr
    code = c_read_names(self%handle, what, c_text(bundle), c_text(variable), count, first)
    if (code /= bio_ok) count = 0
    call c_f_pointer(first, texts, [count])
    allocate (names(count))
    do i = 1, count
      names(i) = f_text(texts(i))
    end do
    call settle(code, owner(self), status)
  end subroutine

  ! kind is bio_text or one of bio_int8 to bio_float64; count is that of its letters or numbers.
  subroutine reader_attribute_shape(self, bundle, variable, name, kind, count, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable, name
    integer, intent(out) :: kind
    integer(int64), intent(out) :: count
    integer, intent(out), optional :: status
    integer(c_int) :: found
    found = bio_no_type
    count = 0
    call settle(c_read_att(self%handle, c_text(bundle), c_text(variable), c_text(name), found, count), owner(self), status)
    kind = found
  end subroutine

  subroutine attribute_value(self, bundle, variable, name, value, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable, name
    class(*), intent(inout), target :: value
    integer, intent(out), optional :: status
    call self%get_attribute(bundle, variable, name, facts_of(value), status)
  end subroutine

  subroutine attribute_values(self, bundle, variable, name, values, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable, name
    class(*), intent(inout), target :: values(:)
    integer, intent(out), optional :: status
    call self%get_attribute(bundle, variable, name, facts_of(values), status)
  end subroutine

  subroutine get_attribute(self, bundle, variable, name, facts, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable, name
    type(array_facts), intent(in) :: facts
    integer, intent(out), optional :: status
    integer(c_int) :: kind
    kind = facts%kind
    if (.not. facts%is_contiguous) kind = bio_no_type
    call settle(c_get_att(self%handle, c_text(bundle), c_text(variable), c_text(name), kind, facts%count, facts%first), &
                owner(self), status)
  end subroutine

  ! As long as the text is.
  subroutine reader_attribute_text(self, bundle, variable, name, text, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable, name
    character(:), allocatable, intent(out), target :: text
    integer, intent(out), optional :: status
    integer(c_int) :: code, kind
    integer(c_int64_t) :: count
    count = 0
    code = c_read_att(self%handle, c_text(bundle), c_text(variable), c_text(name), kind, count)
    if (code /= bio_ok) count = 0
    allocate (character(count) :: text)
    if (code == bio_ok) then
      code = c_get_att(self%handle, c_text(bundle), c_text(variable), c_text(name), int(bio_text, c_int), count, c_loc(text))
    end if
    call settle(code, owner(self), status)
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

  subroutine slab_facts(self, bundle, variable, facts, start, count, stride, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    type(array_facts), intent(in) :: facts
    integer, intent(in) :: start(:), count(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: status
    integer(c_int64_t) :: apart(size(start))
    integer(c_int) :: kind, n
    n = size(start, kind=c_int)
    if (size(count) /= n) n = -1
    apart = 1
    if (present(stride)) then
      if (size(stride) == n) apart = stride(size(stride):1:-1)
      if (size(stride) /= n) n = -1
    end if
    kind = facts%kind
    if (.not. facts%is_contiguous) kind = bio_no_type
    call settle(c_get_slab(self%handle, c_text(bundle), c_text(variable), kind, n, &
                           int(start(size(start):1:-1), c_int64_t) - 1, int(count(size(count):1:-1), c_int64_t), apart, &
                           facts%count, facts%first), owner(self), status)
  end subroutine

  subroutine reader_close(self, status)
    class(bio_reader), intent(inout) :: self
    integer, intent(out), optional :: status
    call settle(c_read_close(self%handle), owner(self), status)
    self%handle = c_null_ptr
  end subroutine

  ! One for each rank of get, as in bio_run.

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

  ! Entries of each dimension, fastest first, from 1; values have as many as the counts multiply to. One for each rank.

  subroutine slab_1(self, bundle, variable, values, start, count, stride, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:)
    integer, intent(in) :: start(:), count(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: status
    call self%slab_facts(bundle, variable, facts_of(values), start, count, stride, status)
  end subroutine

  subroutine slab_2(self, bundle, variable, values, start, count, stride, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :)
    integer, intent(in) :: start(:), count(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: status
    call self%slab_facts(bundle, variable, facts_of(values), start, count, stride, status)
  end subroutine

  subroutine slab_3(self, bundle, variable, values, start, count, stride, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :, :)
    integer, intent(in) :: start(:), count(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: status
    call self%slab_facts(bundle, variable, facts_of(values), start, count, stride, status)
  end subroutine

  subroutine slab_4(self, bundle, variable, values, start, count, stride, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :, :, :)
    integer, intent(in) :: start(:), count(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: status
    call self%slab_facts(bundle, variable, facts_of(values), start, count, stride, status)
  end subroutine

  subroutine slab_5(self, bundle, variable, values, start, count, stride, status)
    class(bio_reader), intent(in) :: self
    character(*), intent(in) :: bundle, variable
    class(*), intent(inout), target :: values(:, :, :, :, :)
    integer, intent(in) :: start(:), count(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: status
    call self%slab_facts(bundle, variable, facts_of(values), start, count, stride, status)
  end subroutine

end module
