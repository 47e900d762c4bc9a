! Contexts, decompositions and how errors end: the part of module bundleio that needs no run.
module bundleio_context
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64, error_unit
  use mpi, only: MPI_COMM_WORLD, MPI_Abort
  use bundleio_c
  implicit none
  public

  integer, parameter :: bio_create = 0, bio_replace = 1, bio_append = 2
  integer(int64), parameter :: bio_unlimited = -1_int64
  integer(int64), parameter :: bio_last_step = -1_int64
  integer, parameter :: bio_on_root = 0, bio_global = -1
  integer, parameter :: bio_once = 0  ! of every: written once
  integer, parameter :: bio_name_max = 256  ! letters in a name: NetCDF's

  integer, parameter :: bio_ok = 0, bio_bad_argument = 1, bio_mismatch = 2, bio_state = 3, bio_exists = 4
  integer, parameter :: bio_permission = 5, bio_no_space = 6, bio_io = 7, bio_not_built = 8, bio_not_found = 9
  integer, parameter :: bio_format = 10, bio_internal = 11, bio_drain = 12

  type :: bio_context
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: init => context_init
    procedure, private :: context_block, context_block_long, context_map, context_map_long, context_map_cells_long
    procedure, private :: context_map_one_based, context_map_one_based_long, context_map_one_based_cells_long
    generic :: block => context_block, context_block_long
    generic :: map => context_map, context_map_long, context_map_cells_long
    generic :: map_one_based => context_map_one_based, context_map_one_based_long, context_map_one_based_cells_long
    procedure :: time_value => context_time_value
    procedure :: date => context_date
    procedure :: message => context_message
    procedure :: finish => context_finish
  end type

  private :: turned
  private :: context_init, context_block, context_block_long, context_map, context_map_long, context_map_cells_long
  private :: context_map_one_based, context_map_one_based_long, context_map_one_based_cells_long
  private :: context_time_value, context_date, context_message, context_finish

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

  ! Without the blanks at its end: a variable of Fortran is longer than the name or path in it.
  pure function c_text(text) result(terminated)
    character(*), intent(in) :: text
    character(kind=c_char) :: terminated(len_trim(text) + 1)
    integer :: i
    do i = 1, len_trim(text)
      terminated(i) = text(i:i)
    end do
    terminated(len_trim(text) + 1) = c_null_char
  end function

  subroutine context_init(self, comm, status)
    class(bio_context), intent(inout) :: self
    integer, intent(in) :: comm
    integer, intent(out), optional :: status
    call settle(c_init(int(comm, c_int), self%handle), c_null_ptr, status)
  end subroutine

  ! The text of the last error, also of this context's runs.
  function context_message(self) result(text)
    class(bio_context), intent(in) :: self
    character(:), allocatable :: text
    text = f_text(c_message(self%handle))
  end function

  ! The value that stands for a date in CF's units and calendar.
  subroutine context_time_value(self, units, calendar, date, value, status)
    class(bio_context), intent(in) :: self
    character(*), intent(in) :: units, calendar
    type(bio_date), intent(in) :: date
    real(real64), intent(out) :: value
    integer, intent(out), optional :: status
    value = 0
    call settle(c_time_value(self%handle, c_text(units), c_text(calendar), date, value), self%handle, status)
  end subroutine

  ! And back, to the millisecond.
  subroutine context_date(self, units, calendar, value, date, status)
    class(bio_context), intent(in) :: self
    character(*), intent(in) :: units, calendar
    real(real64), intent(in) :: value
    type(bio_date), intent(out) :: date
    integer, intent(out), optional :: status
    call settle(c_time_date(self%handle, c_text(units), c_text(calendar), value, date), self%handle, status)
  end subroutine

  subroutine context_finish(self, status)
    class(bio_context), intent(inout) :: self
    integer, intent(out), optional :: status
    integer(c_int) :: code
    code = c_finish(self%handle)
    call settle(code, self%handle, status)
    if (code == bio_ok) self%handle = c_null_ptr
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
    integer(c_int) :: made, n
    made = 0
    n = size(lengths)
    ! All ranks learn of it from the C interface.
    if (size(start) /= n .or. size(count) /= n) n = -1
    call settle(c_block(self%handle, n, turned(lengths), turned(start) - 1, turned(count), made), self%handle, status)
    decomposition = made
  end function

  pure function turned(values)
    integer(int64), intent(in) :: values(:)
    integer(int64) :: turned(size(values))
    turned = values(size(values):1:-1)
  end function

  ! This rank owns the cells at these offsets in column-major order, from 1.
  integer function context_map(self, lengths, cells, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer, intent(in) :: lengths(:), cells(:)
    integer, intent(out), optional :: status
    decomposition = self%context_map_long(int(lengths, int64), int(cells, int64), status)
  end function

  integer function context_map_cells_long(self, lengths, cells, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer, intent(in) :: lengths(:)
    integer(int64), intent(in) :: cells(:)
    integer, intent(out), optional :: status
    decomposition = self%context_map_long(int(lengths, int64), cells, status)
  end function

  integer function context_map_long(self, lengths, cells, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer(int64), intent(in) :: lengths(:), cells(:)
    integer, intent(out), optional :: status
    integer(c_int) :: made
    made = 0
    call settle(c_map(self%handle, size(lengths, kind=c_int), turned(lengths), size(cells, kind=c_int64_t), cells - 1, &
                      made), self%handle, status)
    decomposition = made
  end function

  ! The same, with 0 for local values that belong nowhere.
  integer function context_map_one_based(self, lengths, cells, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer, intent(in) :: lengths(:), cells(:)
    integer, intent(out), optional :: status
    decomposition = self%context_map_one_based_long(int(lengths, int64), int(cells, int64), status)
  end function

  integer function context_map_one_based_cells_long(self, lengths, cells, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer, intent(in) :: lengths(:)
    integer(int64), intent(in) :: cells(:)
    integer, intent(out), optional :: status
    decomposition = self%context_map_one_based_long(int(lengths, int64), cells, status)
  end function

  integer function context_map_one_based_long(self, lengths, cells, status) result(decomposition)
    class(bio_context), intent(in) :: self
    integer(int64), intent(in) :: lengths(:), cells(:)
    integer, intent(out), optional :: status
    integer(c_int) :: made
    made = 0
    call settle(c_map_one_based(self%handle, size(lengths, kind=c_int), turned(lengths), size(cells, kind=c_int64_t), &
                                cells, made), self%handle, status)
    decomposition = made
  end function

end module
