! bundleio for Fortran 2008: thin over the C interface, with Fortran's order of dimensions.
!
! Shapes are given fastest dimension first, as Fortran stores them; the module turns them round, so
! that q(lon, lat, lev) becomes Q(lev, lat, lon) in the file. Starts and cells count from 1. Which calls
! are collective is said in bundleio.h. Every routine takes an optional status; without it an error
! prints its message and ends all ranks. Values that are put must stay unchanged until step_end:
! declare them with the attribute target, or asynchronous.
module bundleio
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, error_unit
  use mpi, only: MPI_COMM_WORLD, MPI_Abort
  implicit none
  private
  public :: bio_context, bio_file
  public :: bio_create, bio_replace, bio_append, bio_unlimited, bio_on_root, bio_global
  public :: bio_int8, bio_int16, bio_int32, bio_int64, bio_float32, bio_float64

  integer, parameter :: bio_create = 0, bio_replace = 1, bio_append = 2
  integer(int64), parameter :: bio_unlimited = -1_int64
  integer, parameter :: bio_on_root = 0, bio_global = -1
  integer, parameter :: bio_text = 0, bio_int8 = 1, bio_int16 = 3, bio_int32 = 5, bio_int64 = 7
  integer, parameter :: bio_float32 = 9, bio_float64 = 10

  type :: bio_context
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: init => context_init
    procedure :: block => context_block
    procedure :: map => context_map
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
    procedure :: step_end => file_step_end
    procedure :: wait => file_wait
    procedure :: close => file_close
  end type

  interface
    integer(c_int) function c_init(comm, context) bind(c, name='bio_init_f')
      import :: c_int, c_ptr
      integer(c_int), value :: comm
      type(c_ptr), intent(out) :: context
    end function
    integer(c_int) function c_finish(context) bind(c, name='bio_finish')
      import :: c_int, c_ptr
      type(c_ptr), value :: context
    end function
    type(c_ptr) function c_message(context) bind(c, name='bio_message')
      import :: c_ptr
      type(c_ptr), value :: context
    end function
    integer(c_int) function c_block(context, dims, lengths, start, count, made) bind(c, name='bio_decomp_block')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: context
      integer(c_int), value :: dims
      integer(c_int64_t), intent(in) :: lengths(*), start(*), count(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_map(context, dims, lengths, cell_count, cells, made) bind(c, name='bio_decomp_map')
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: context
      integer(c_int), value :: dims
      integer(c_int64_t), value :: cell_count
      integer(c_int64_t), intent(in) :: lengths(*), cells(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_open(context, path, mode, backend, options, file) bind(c, name='bio_open')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: context
      character(kind=c_char), intent(in) :: path(*), backend(*), options(*)
      integer(c_int), value :: mode
      type(c_ptr), intent(out) :: file
    end function
    integer(c_int) function c_bundle(file, name, made) bind(c, name='bio_bundle')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: file
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_def_dim(file, bundle, name, length, made) bind(c, name='bio_def_dim')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: file
      integer(c_int), value :: bundle
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: length
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_def_var(file, bundle, name, kind, dims, dimensions, decomposition, made) &
        bind(c, name='bio_def_var')
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: file
      integer(c_int), value :: bundle, kind, dims, decomposition
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(in) :: dimensions(*)
      integer(c_int), intent(out) :: made
    end function
    integer(c_int) function c_put_att(file, bundle, variable, name, kind, count, values) bind(c, name='bio_put_att')
      import :: c_int, c_int64_t, c_ptr, c_char
      type(c_ptr), value :: file, values
      integer(c_int), value :: bundle, variable, kind
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: count
    end function
    integer(c_int) function c_put(file, variable, values) bind(c, name='bio_put')
      import :: c_int, c_ptr
      type(c_ptr), value :: file, values
      integer(c_int), value :: variable
    end function
    integer(c_int) function c_step_begin(file) bind(c, name='bio_step_begin')
      import :: c_int, c_ptr
      type(c_ptr), value :: file
    end function
    integer(c_int) function c_step_end(file) bind(c, name='bio_step_end')
      import :: c_int, c_ptr
      type(c_ptr), value :: file
    end function
    integer(c_int) function c_wait(file) bind(c, name='bio_wait')
      import :: c_int, c_ptr
      type(c_ptr), value :: file
    end function
    integer(c_int) function c_close(file) bind(c, name='bio_close')
      import :: c_int, c_ptr
      type(c_ptr), value :: file
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  ! Hands a status on, or, if nobody asked for it, ends all ranks with the message.
  subroutine settle(code, context, status)
    integer(c_int), intent(in) :: code
    type(c_ptr), intent(in) :: context
    integer, intent(out), optional :: status
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: text
    integer :: ierr
    if (present(status)) then
      status = code
    else if (code /= 0) then
      text = c_message(context)
      call c_f_pointer(text, letters, [c_strlen(text)])
      write (error_unit, '(*(a))') 'bundleio: ', letters
      call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
    end if
  end subroutine

  pure function c_text(text) result(terminated)
    character(*), intent(in) :: text
    character(kind=c_char) :: terminated(len(text) + 1)
    integer :: i
    do i = 1, len(text)
      terminated(i) = text(i:i)
    end do
    terminated(len(text) + 1) = c_null_char
  end function

  subroutine context_init(self, comm, status)
    class(bio_context), intent(inout) :: self
    integer, intent(in) :: comm
    integer, intent(out), optional :: status
    call settle(c_init(int(comm, c_int), self%handle), c_null_ptr, status)
  end subroutine

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
    integer(c_int) :: made
    integer :: n
    n = size(lengths)
    made = 0
    call settle(c_block(self%handle, int(n, c_int), int(lengths(n:1:-1), c_int64_t), &
                        int(start(n:1:-1) - 1, c_int64_t), int(count(n:1:-1), c_int64_t), made), self%handle, status)
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
    call settle(c_bundle(self%handle, c_text(name), made), self%context, status)
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
    call settle(c_def_dim(self%handle, int(bundle, c_int), c_text(name), length, made), self%context, status)
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
                          int(dimensions(n:1:-1), c_int), int(used, c_int), made), self%context, status)
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
                          int(len(text), c_int64_t), c_loc(letters)), self%context, status)
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
                          size(values, kind=c_int64_t), first), self%context, status)
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
    call settle(c_step_begin(self%handle), self%context, status)
  end subroutine

  ! All local values of a variable: call file%put(id, c_loc(values)).
  subroutine file_put(self, variable, values, status)
    class(bio_file), intent(in) :: self
    integer, intent(in) :: variable
    type(c_ptr), intent(in) :: values
    integer, intent(out), optional :: status
    call settle(c_put(self%handle, int(variable, c_int), values), self%context, status)
  end subroutine

  subroutine file_step_end(self, status)
    class(bio_file), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_step_end(self%handle), self%context, status)
  end subroutine

  subroutine file_wait(self, status)
    class(bio_file), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_wait(self%handle), self%context, status)
  end subroutine

  subroutine file_close(self, status)
    class(bio_file), intent(inout) :: self
    integer, intent(out), optional :: status
    call settle(c_close(self%handle), self%context, status)
    self%handle = c_null_ptr
  end subroutine

end module
