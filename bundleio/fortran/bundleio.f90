! bundleio for Fortran 2008: thin over the C interface, with Fortran's order of dimensions.
!
! Shapes are given fastest dimension first, as Fortran stores them; the module turns them round, so
! that q(lon, lat, lev) becomes Q(lev, lat, lon) in the run. Starts, cells and levels count from 1.
! docs/reference/bundleio-api.md lists every routine. Each takes an optional status; without it an error
! prints its message and ends all ranks; with it, message() of the context has the text. Values that
! are put must stay unchanged until step_end, and are never copied: declare them with the attribute
! target, and put no expression. Type, number and contiguity are checked at run time.
module bundleio
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use bundleio_array
  use bundleio_c
  use bundleio_context
  use bundleio_reader
  implicit none
  private
  public :: bio_context, bio_run, bio_reader, bio_date
  public :: bio_create, bio_replace, bio_append, bio_unlimited, bio_last_step, bio_on_root, bio_global, bio_name_max
  public :: bio_once
  public :: bio_ok, bio_bad_argument, bio_mismatch, bio_state, bio_exists, bio_permission, bio_no_space, bio_io
  public :: bio_not_built, bio_not_found, bio_format, bio_internal, bio_drain
  public :: bio_text, bio_int8, bio_uint8, bio_int16, bio_uint16, bio_int32, bio_uint32, bio_int64, bio_uint64
  public :: bio_float32, bio_float64

  type :: bio_run
    private
    type(c_ptr) :: handle = c_null_ptr
    type(c_ptr) :: context = c_null_ptr
  contains
    procedure :: open => run_open
    procedure :: bundle => run_bundle
    procedure, private :: run_dimension, run_dimension_long
    generic :: dimension => run_dimension, run_dimension_long
    procedure :: variable => run_variable
    procedure :: every => run_every
    procedure :: is_due => run_is_due
    procedure :: time => run_time
    procedure, private :: attribute_value, attribute_values
    generic :: attribute => attribute_value, attribute_values
    procedure :: step_begin => run_step_begin
    procedure, private :: put_0, put_1, put_2, put_3, put_4, put_5
    generic :: put => put_0, put_1, put_2, put_3, put_4, put_5
    procedure, private :: put_levels_1, put_levels_2, put_levels_3, put_levels_4, put_levels_5
    generic :: put_levels => put_levels_1, put_levels_2, put_levels_3, put_levels_4, put_levels_5
    procedure :: put_address => run_put_address
    procedure, private :: put_facts
    procedure :: fail => run_fail
    procedure :: step_end => run_step_end
    procedure :: wait => run_wait
    procedure :: test => run_test
    procedure :: report => run_report
    procedure :: close => run_close
  end type

contains

  ! The context that keeps this run's messages: none before it is opened and after it is closed.
  function owner(run) result(context)
    class(bio_run), intent(in) :: run
    type(c_ptr) :: context
    context = c_null_ptr
    if (c_associated(run%handle)) context = run%context
  end function

  subroutine run_open(self, context, path, mode, backend, options, status)
    class(bio_run), intent(inout) :: self
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

  integer function run_bundle(self, name, status) result(bundle)
    class(bio_run), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: status
    integer(c_int) :: made
    made = -1
    call settle(c_bundle(self%handle, c_text(name), made), owner(self), status)
    bundle = made
  end function

  integer function run_dimension(self, bundle, name, length, status) result(dimension_id)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: bundle, length
    character(*), intent(in) :: name
    integer, intent(out), optional :: status
    dimension_id = self%run_dimension_long(bundle, name, int(length, int64), status)
  end function

  integer function run_dimension_long(self, bundle, name, length, status) result(dimension_id)
    class(bio_run), intent(in) :: self
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
  integer function run_variable(self, bundle, name, kind, dimensions, decomposition, status) result(variable)
    class(bio_run), intent(in) :: self
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

  ! From now on it is due in each step whose number steps divides; bio_once: in step 0 alone.
  subroutine run_every(self, variable, steps, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable, steps
    integer, intent(out), optional :: status
    call settle(c_def_every(self%handle, int(variable, c_int), int(steps, c_int64_t)), owner(self), status)
  end subroutine

  ! In the step under way, or, between steps, in the next one.
  logical function run_is_due(self, variable, status) result(is_due)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    integer, intent(out), optional :: status
    integer(c_int) :: due
    due = 0
    call settle(c_due(self%handle, int(variable, c_int), due), owner(self), status)
    is_due = due /= 0
  end function

  ! A text or a number; variable may be bio_global.
  subroutine attribute_value(self, bundle, variable, name, value, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: bundle, variable
    character(*), intent(in) :: name
    class(*), intent(in), target :: value
    integer, intent(out), optional :: status
    call put_attribute(self, bundle, variable, name, facts_of(value), status)
  end subroutine

  subroutine attribute_values(self, bundle, variable, name, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: bundle, variable
    character(*), intent(in) :: name
    class(*), intent(in), target :: values(:)
    integer, intent(out), optional :: status
    call put_attribute(self, bundle, variable, name, facts_of(values), status)
  end subroutine

  subroutine put_attribute(run, bundle, variable, name, facts, status)
    type(bio_run), intent(in) :: run
    integer, intent(in) :: bundle, variable
    character(*), intent(in) :: name
    type(array_facts), intent(in) :: facts
    integer, intent(out), optional :: status
    integer(c_int) :: code
    if (facts%is_contiguous) then
      code = c_put_att(run%handle, int(bundle, c_int), int(variable, c_int), c_text(name), facts%kind, facts%count, &
                       facts%first)
    else
      code = c_fail(run%handle, bio_bad_argument, c_text('attribute ' // trim(name) // ': the values are a section ' // &
                                                          'with gaps: give a whole array, or a copy'))
    end if
    call settle(code, owner(run), status)
  end subroutine

  ! The time of a bundle as CF wants it; with bounds, also the variable of begins and ends.
  subroutine run_time(self, bundle, dimension, units, calendar, time, bounds, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: bundle, dimension
    character(*), intent(in) :: units, calendar
    integer, intent(out) :: time
    integer, intent(out), optional :: bounds, status
    integer(c_int), target :: second
    integer(c_int) :: made
    type(c_ptr) :: asked
    made = -1
    second = -1
    asked = c_null_ptr
    if (present(bounds)) asked = c_loc(second)
    call settle(c_def_time(self%handle, int(bundle, c_int), int(dimension, c_int), c_text(units), c_text(calendar), made, &
                           asked), owner(self), status)
    time = made
    if (present(bounds)) bounds = second
  end subroutine

  subroutine run_step_begin(self, status)
    class(bio_run), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_step_begin(self%handle), owner(self), status)
  end subroutine

  ! All local values of a variable (count is bio_any), or those of count levels from first, from 0.
  subroutine put_facts(self, variable, first, count, facts, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    integer(c_int64_t), intent(in) :: first, count
    type(array_facts), intent(in) :: facts
    integer, intent(out), optional :: status
    integer(c_int) :: code
    character(12) :: number
    if (facts%is_contiguous) then
      code = c_check_put(self%handle, int(variable, c_int), count, facts%kind, facts%count)
    else
      write (number, '(i0)') variable
      code = c_fail(self%handle, bio_bad_argument, c_text('variable ' // trim(number) // ': the values are a ' // &
                    'section with gaps, which is never copied: put a whole array, or a copy that stays until step_end'))
    end if
    if (code == bio_ok .and. count == bio_any) then
      code = c_put(self%handle, int(variable, c_int), facts%first)
    else if (code == bio_ok) then
      code = c_put_levels(self%handle, int(variable, c_int), first, count, facts%first)
    end if
    call settle(code, owner(self), status)
  end subroutine

  ! All local values of a variable, in memory that Fortran does not describe; nothing is checked.
  subroutine run_put_address(self, variable, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    type(c_ptr), intent(in) :: values
    integer, intent(out), optional :: status
    call settle(c_put(self%handle, int(variable, c_int), values), owner(self), status)
  end subroutine

  ! A mistake that the model found itself: the next step_end or close tells all ranks.
  subroutine run_fail(self, code, text, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: code
    character(*), intent(in) :: text
    integer, intent(out), optional :: status
    call settle(c_fail(self%handle, int(code, c_int), c_text(text)), owner(self), status)
  end subroutine

  subroutine run_step_end(self, status)
    class(bio_run), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_step_end(self%handle), owner(self), status)
  end subroutine

  subroutine run_wait(self, status)
    class(bio_run), intent(in) :: self
    integer, intent(out), optional :: status
    call settle(c_wait(self%handle), owner(self), status)
  end subroutine

  ! Is every ended step visible?
  logical function run_test(self, status) result(visible)
    class(bio_run), intent(in) :: self
    integer, intent(out), optional :: status
    integer(c_int) :: done
    done = 0
    call settle(c_test(self%handle, done), owner(self), status)
    visible = done /= 0
  end function

  ! JSON on rank 0, nothing elsewhere.
  function run_report(self, status) result(json)
    class(bio_run), intent(in) :: self
    integer, intent(out), optional :: status
    character(:), allocatable :: json
    type(c_ptr) :: text
    integer(c_int) :: code
    code = c_report(self%handle, text)
    json = ''
    if (code == 0) json = f_text(text)
    call settle(code, owner(self), status)
  end function

  subroutine run_close(self, status)
    class(bio_run), intent(inout) :: self
    integer, intent(out), optional :: status
    call settle(c_close(self%handle), owner(self), status)
    self%handle = c_null_ptr
  end subroutine

  ! One for each rank of put and put_levels: Fortran 2008 has no argument of any rank.

  subroutine put_0(self, variable, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    class(*), intent(in), target :: values
    integer, intent(out), optional :: status
    call self%put_facts(variable, 0_c_int64_t, int(bio_any, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_1(self, variable, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    class(*), intent(in), target :: values(:)
    integer, intent(out), optional :: status
    call self%put_facts(variable, 0_c_int64_t, int(bio_any, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_2(self, variable, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    class(*), intent(in), target :: values(:, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, 0_c_int64_t, int(bio_any, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_3(self, variable, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    class(*), intent(in), target :: values(:, :, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, 0_c_int64_t, int(bio_any, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_4(self, variable, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    class(*), intent(in), target :: values(:, :, :, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, 0_c_int64_t, int(bio_any, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_5(self, variable, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable
    class(*), intent(in), target :: values(:, :, :, :, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, 0_c_int64_t, int(bio_any, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_levels_1(self, variable, first, count, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable, first, count
    class(*), intent(in), target :: values(:)
    integer, intent(out), optional :: status
    call self%put_facts(variable, first - 1_c_int64_t, int(count, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_levels_2(self, variable, first, count, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable, first, count
    class(*), intent(in), target :: values(:, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, first - 1_c_int64_t, int(count, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_levels_3(self, variable, first, count, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable, first, count
    class(*), intent(in), target :: values(:, :, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, first - 1_c_int64_t, int(count, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_levels_4(self, variable, first, count, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable, first, count
    class(*), intent(in), target :: values(:, :, :, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, first - 1_c_int64_t, int(count, c_int64_t), facts_of(values), status)
  end subroutine

  subroutine put_levels_5(self, variable, first, count, values, status)
    class(bio_run), intent(in) :: self
    integer, intent(in) :: variable, first, count
    class(*), intent(in), target :: values(:, :, :, :, :)
    integer, intent(out), optional :: status
    call self%put_facts(variable, first - 1_c_int64_t, int(count, c_int64_t), facts_of(values), status)
  end subroutine

end module
