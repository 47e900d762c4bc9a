! bundleio for Fortran 2008: thin over the C interface, with Fortran's order of dimensions.
!
! Shapes are given fastest dimension first, as Fortran stores them; the module turns them round, so
! that q(lon, lat, lev) becomes Q(lev, lat, lon) in the file. Starts and cells count from 1. Which calls
! are collective is said in bundleio.h. Every routine takes an optional status; without it an error
! prints its message and ends all ranks; with it, message() of the context has the text. Values that
! are put must stay unchanged until step_end: declare them with the attribute target, or asynchronous.
! They must be contiguous: in the memory of a section such as q(1:n:2, :) other values lie between.
module bundleio
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, error_unit
  use mpi, only: MPI_COMM_WORLD, MPI_Abort
  use bundleio_c
  implicit none
  private
  public :: bio_context, bio_file
  public :: bio_create, bio_replace, bio_append, bio_unlimited, bio_on_root, bio_global
  public :: bio_ok, bio_bad_argument, bio_mismatch, bio_state, bio_exists, bio_permission, bio_no_space, bio_io
  public :: bio_not_built, bio_not_found, bio_format, bio_internal, bio_drain
  public :: bio_int8, bio_int16, bio_int32, bio_int64, bio_float32, bio_float64

  integer, parameter :: bio_create = 0, bio_replace = 1, bio_append = 2
  integer(int64), parameter :: bio_unlimited = -1_int64
  integer, parameter :: bio_on_root = 0, bio_global = -1
  integer, parameter :: bio_text = 0, bio_int8 = 1, bio_int16 = 3, bio_int32 = 5, bio_int64 = 7
  integer, parameter :: bio_float32 = 9, bio_float64 = 10

  integer, parameter :: bio_ok = 0, bio_bad_argument = 1, bio_mismatch = 2, bio_state = 3, bio_exists = 4
  integer, parameter :: bio_permission = 5, bio_no_space = 6, bio_io = 7, bio_not_built = 8, bio_not_found = 9
  integer, parameter :: bio_format = 10, bio_internal = 11, bio_drain = 12

  type :: bio_context
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: init => context_init
    procedure, private :: context_block, context_block_long
    generic :: block => context_block, context_block_long
    procedure :: map => context_map
    procedure :: message => context_message
    procedure :: finish => context_finish
  end type

  type :: bio_file
    private
    type(c_ptr) :: handle = c_null_ptr
    type(c_ptr) :: context = c_null_ptr
  contains
    procedure :: open => file_open
    procedure :: bundle => file_bundle
    procedure :: dimension => file_dimension
    procedure :: variable => file_variable
    procedure :: text => file_text
    procedure :: number => file_number
    procedure :: step_begin => file_step_begin
    procedure :: put => file_put
    procedure :: put_levels => file_put_levels
    procedure :: step_end => file_step_end
    procedure :: wait => file_wait
    procedure :: test => file_test
    procedure :: report => file_report
    procedure :: close => file_close
  end type

contains

  ! Hands a status on, or, if nobody asked for it, ends all ranks with the message.
  subroutine settle(code, context, status)
    integer(c_int), intent(in) :: code
    type(c_ptr), intent(in) :: context
    integer, intent(out), optional :: status
    integer :: ierr
    if (present(status)) then
      status = code
    else if (code /= 0) then
      write (error_unit, '(a)') 'bundleio: ' // f_text(c_message(context))
      call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
    end if
  end subroutine

  function f_text(text) result(copy)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: copy
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(text, letters, [c_strlen(text)])
    allocate (character(size(letters)) :: copy)
    do i = 1, size(letters)
      copy(i:i) = letters(i)
    end do
  end function

  pure function c_text(text) result(terminated)
    character(*), intent(in) :: text
    character(kind=c_char) :: terminated(len(text) + 1)
    integer :: i
    do i = 1, len(text)
      terminated(i) = text(i:i)
    end do
    terminated(len(text) + 1) = c_null_char
  end function

  ! Whose message an error of this file has: nobody's before it is opened and after it is closed.
  function owner(file) result(context)
    class(bio_file), intent(in) :: file
    type(c_ptr) :: context
    context = c_null_ptr
    if (c_associated(file%handle)) context = file%context
  end function

  subroutine context_init(self, comm, status)
    class(bio_context), intent(inout) :: self
    integer, intent(in) :: comm
    integer, intent(out), optional :: status
    call settle(c_init(int(comm, c_int), self%handle), c_null_ptr, status)
  end subroutine

  ! The text of the last error, also of this context's files.
  function context_message(self) result(text)
    class(bio_context), intent(in) :: self
    character(:), allocatable :: text
    text = f_text(c_message(self%handle))
  end function

  subroutine context_finish(self, status)
    class(bio_context), intent(inout) :: self
    integer, intent(out), optional :: status
    call settle(c_finish(self%handle), self%handle, status)
    self%handle = c_null_ptr
  end subroutine

  ! This rank owns count cells from start in each dimension, fastest first, from 1.
  integer function context_block(self, lengths, start, count, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer, intent(in) :: lengths(:), start(:), count(:)
    integer, intent(out), optional :: status
    decomposition = self%context_block_long(int(lengths, int64), int(start, int64), int(count, int64), status)
  end function

  integer function context_block_long(self, lengths, start, count, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer(int64), intent(in) :: lengths(:), start(:), count(:)
    integer, intent(out), optional :: status
    integer(c_int) :: made
    integer :: n
    n = size(lengths)
    made = 0
    call settle(c_block(self%handle, int(n, c_int), lengths(n:1:-1), start(n:1:-1) - 1, count(n:1:-1), made), &
                self%handle, status)
    decomposition = made
  end function

  ! This rank owns the cells at these offsets in column-major order, from 1.
  integer function context_map(self, lengths, cells, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer, intent(in) :: lengths(:)
    integer(int64), intent(in) :: cells(:)
    integer, intent(out), optional :: status
    integer(c_int) :: made
    integer :: n
    n = size(lengths)
    made = 0
    call settle(c_map(self%handle, int(n, c_int), int(lengths(n:1:-1), c_int64_t), &
                      int(size(cells), c_int64_t), int(cells - 1, c_int64_t), made), self%handle, status)
    decomposition = made
  end function

  subroutine file_open(self, context, path, mode, backend, options, status)
    class(bio_file), intent(inout) :: self
    type(bio_context), intent(in) :: context
    character(*), intent(in) :: path, backend
    integer, intent(in) :: mode
    character(*), intent(in), optional :: options
    integer, intent(out), optional :: status
    character(:), allocatable :: given
    given = ''
    if (present(options)) given = options
    self%handle = c_null_ptr
    self%context = context%handle
    call settle(c_open(context%handle, c_text(path), int(mode, c_int), c_text(backend), c_text(given), &
                       self%handle), context%handle, status)
  end subroutine

  integer function file_bundle(self, name, status) result(bundle)
    class(bio_file), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: status
    integer(c_int) :: made
    made = -1
    call settle(c_bundle(self%handle, c_text(name), made), owner(self), status)
    bundle = made
  end function

  integer function file_dimension(self, bundle, name, length, status) result(dimension_id)
    class(bio_file), intent(in) :: self
    integer, intent(in) :: bundle
    character(*), intent(in) :: name
    integer(int64), intent(in) :: length
    integer, intent(out), optional :: status
    integer(c_int) :: made
    made = -1
    call settle(c_def_dim(self%handle, int(bundle, c_int), c_text(name), length, made), owner(self), status)
    dimension_id = made
  end function

  ! Dimensions fastest first; the unlimited one comes last.
  integer function file_variable(self, bundle, name, kind, dimensions, decomposition, status) result(variable)
    class(bio_file), intent(in) :: self
    integer, intent(in) :: bundle, kind, dimensions(:)
    character(*), intent(in) :: name
    integer, intent(in), optional :: decomposition
    integer, intent(out), optional :: status
    integer(c_int) :: made
    integer :: n, used
    n = size(dimensions)
    used = bio_on_root
    if (present(decomposition)) used = decomposition
    made = -1
    call settle(c_def_var(self%handle, int(bundle, c_int), c_text(name), int(kind, c_int), int(n, c_int), &
                          int(dimensions(n:1:-1), c_int), int(used, c_int), made), owner(self), status)
    variable = made
  end function

  ! A text attribute; variable may be bio_global.
  subroutine file_text(self, bundle, variable, name, text, status)
    class(bio_file), intent(in) :: self
    integer, intent(in) :: bundle, variable
    character(*), intent(in) :: name, text
    integer, intent(out), optional :: status
    character(kind=c_char), target :: letters(len(text) + 1)
    letters = c_text(text)
    call settle(c_put_att(self%handle, int(bundle, c_int), int(variable, c_int), c_text(name), bio_text, &
                          int(len(text), c_int64_t), c_loc(letters)), owner(self), status)
  end subroutine

  ! A numeric attribute, one value or several, of any kind that can be stored.
  subroutine file_number(self, bundle, variable, name, values, status)
    class(bio_file), intent(in) :: self
    integer, intent(in) :: bundle, variable
    character(*), intent(in) :: name
    class(*), intent(in), target, contiguous :: values(:)
    integer, intent(out), optional :: status
    integer :: kind
    type(c_ptr) :: first
    call describe(values, kind, first)
    call settle(c_put_att(self%handle, int(bundle, c_int), int(variable, c_int), c_text(name), int(kind, c_int), &
                          size(values, kind=c_int64_t), first), owner(self), status)
  end subroutine

  subroutine describe(values, kind, first)
    class(*), intent(in), target, contiguous :: values(:)
    integer, intent(out) :: kind
    type(c_ptr), intent(out) :: first
    kind = -1
    first = c_null_ptr
    select type (values)
    type is (integer(int8))
      kind = bio_int8
      first = c_loc(values)
    type is (integer(int16))
      kind = bio_int16
      first = c_loc(values)
    type is (integer(int32))
      kind = bio_int32
      first = c_loc(values)
    type is (integer(int64))
      kind = bio_int64
      first = c_loc(values)
    type is (real(real32))
      kind = bio_float32
      first = c_loc(values)
    type is (real(real64))
      kind = bio_float64
      first = c_loc(values)
    end select
  end subroutine

  subroutine file_step_begin(self, status)
    class(bio_file), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_step_begin(self%handle), owner(self), status)
  end subroutine

  ! All local values of a variable: call file%put(id, c_loc(values)).
  subroutine file_put(self, variable, values, status)
    class(bio_file), intent(in) :: self
    integer, intent(in) :: variable
    type(c_ptr), intent(in) :: values
    integer, intent(out), optional :: status
    call settle(c_put(self%handle, int(variable, c_int), values), owner(self), status)
  end subroutine

  ! The same for count levels from the first, which counts from 1; all ranks give the same ranges.
  subroutine file_put_levels(self, variable, first, count, values, status)
    class(bio_file), intent(in) :: self
    integer, intent(in) :: variable
    integer(int64), intent(in) :: first, count
    type(c_ptr), intent(in) :: values
    integer, intent(out), optional :: status
    call settle(c_put_levels(self%handle, int(variable, c_int), first - 1, count, values), owner(self), status)
  end subroutine

  subroutine file_step_end(self, status)
    class(bio_file), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_step_end(self%handle), owner(self), status)
  end subroutine

  subroutine file_wait(self, status)
    class(bio_file), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_wait(self%handle), owner(self), status)
  end subroutine

  ! Is every ended step visible?
  logical function file_test(self, status) result(visible)
    class(bio_file), intent(in) :: self
    integer, intent(out), optional :: status
    integer(c_int) :: done
    done = 0
    call settle(c_test(self%handle, done), owner(self), status)
    visible = done /= 0
  end function

  ! JSON on rank 0, nothing elsewhere.
  function file_report(self, status) result(json)
    class(bio_file), intent(in) :: self
    integer, intent(out), optional :: status
    character(:), allocatable :: json
    type(c_ptr) :: text
    integer(c_int) :: code
    code = c_report(self%handle, text)
    json = ''
    if (code == 0) json = f_text(text)
    call settle(code, owner(self), status)
  end function

  subroutine file_close(self, status)
    class(bio_file), intent(inout) :: self
    integer, intent(out), optional :: status
    call settle(c_close(self%handle), owner(self), status)
    self%handle = c_null_ptr
  end subroutine

end module
