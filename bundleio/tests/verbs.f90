! Every verb of the Fortran module once, and the text of errors; what it writes is what verbs.c writes.
!   verbs_f90 FOLDER BACKEND
program verbs
  use, intrinsic :: iso_c_binding, only: c_loc
  use, intrinsic :: iso_fortran_env, only: error_unit, int8, int16, int32, int64, real32, real64
  use mpi
  use bundleio
  implicit none
  integer, parameter :: levels = 4, lat = 5, lon = 6
  type(bio_context) :: context
  type(bio_run) :: run
  character(256) :: folder, backend
  integer :: rank, ranks, ierr, first, rows, by_rows, map, counted, wrong, cell, step, status
  integer(int64), allocatable :: cells(:)

  call get_command_argument(1, folder)
  call get_command_argument(2, backend)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  first = lat * rank / ranks
  rows = lat * (rank + 1) / ranks - first
  cells = [(int(cell + 1, int64), cell = lat * lon - 1 - rank, 0, -ranks)]

  call context%init(MPI_COMM_WORLD)
  by_rows = context%block([integer(int64) :: lon, lat], [1_int64, first + 1_int64], [integer(int64) :: lon, rows])
  map = context%map([lon, lat], cells)
  counted = context%map_one_based([lon, lat], [cells, 0_int64])
  wrong = context%map_one_based([integer(int64) :: lon, lat], [-3_int64], status)
  call refused(status, bio_bad_argument, 'rank 0: cell -3, entry 0 of the map')
  wrong = context%map_one_based([lon, lat], int(cells - 1), status)
  call refused(status, bio_bad_argument, 'it seems to count from 0')
  call run%open(context, trim(folder), bio_create, 'nosuch', status=status)
  call refused(status, bio_bad_argument, "rank 0: unknown back end 'nosuch'")
  by_rows = context%block([lon, lat], [1], [lon, rows], status)
  call refused(status, bio_bad_argument, 'rank 0: lengths, start and count of a decomposition must be equally many')
  by_rows = context%block([lon, lat], [1, first + 1], [lon, rows])
  do step = 0, 1
    ! Blanks behind a name are Fortran's.
    call run%open(context, folder, merge(bio_create, bio_append, step == 0), backend)
    call write_step(step)
    call run%close()
    call run%step_begin(status)
    call require(status == bio_bad_argument, 'the status of a closed run')
  end do
  call run%open(context, trim(folder), bio_create, trim(backend), status=status)
  call refused(status, bio_exists, 'rank 0: ')
  call fail_steps()
  call context%finish()
  call MPI_Finalize(ierr)

contains

  subroutine require(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (error_unit, '(2a)') 'verbs_f90: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
  end subroutine

  subroutine refused(got, wanted, text)
    integer, intent(in) :: got, wanted
    character(*), intent(in) :: text
    character(:), allocatable :: message
    message = context%message()
    call require(got == wanted .and. index(message, text) > 0, text // ' is not ' // message)
  end subroutine

  ! Mistakes of the last rank reach all, with their status and text.
  subroutine fail_steps()
    integer, parameter :: every(*) = [bio_bad_argument, bio_mismatch, bio_state, bio_exists, bio_permission, &
        bio_no_space, bio_io, bio_not_built, bio_not_found, bio_format, bio_internal, bio_drain]
    integer :: number, row, cube, i, bundle, four, two, three
    character(64) :: text
    character(80) :: everyones
    ! Reversed in its second dimension: its halo, or the rows that are left out, make up for what runs backwards.
    real(real64), target :: value, values(4, 4), whole(2, 3, 3), halo(2, 0:4, 3), left_out(7, 2)
    value = 1
    values = 1
    whole = 1
    halo = 1
    left_out = 1
    call run%open(context, trim(folder), bio_append, trim(backend))
    bundle = run%bundle('errors')
    four = run%dimension(bundle, 'four', 4)
    two = run%dimension(bundle, 'two', 2)
    three = run%dimension(bundle, 'three', 3)
    number = run%variable(bundle, 'number', bio_float64, [integer ::])
    row = run%variable(bundle, 'row', bio_float64, [four])
    cube = run%variable(bundle, 'cube', bio_float64, [two, three, three])
    do i = 1, size(every)
      write (text, '(a, i0, a)') 'status ', i, ' is told'
      write (everyones, '(a, i0, 2a)') 'rank ', ranks - 1, ': ', text
      call run%step_begin()
      call run%put(number, value)
      call run%put(row, values(:, 2))
      call run%put(cube, whole(:, 1:3, :))
      if (rank == ranks - 1) then
        call run%fail(every(i), trim(text), status)
        call refused(status, every(i), trim(text))
      end if
      call run%step_end(status)
      call refused(status, every(i), trim(everyones))
    end do
    call run%put(number, 1_int8, status)
    call refused(status, bio_bad_argument, "variable 'number': values of type int8, but it is of type float64")
    call run%put(number, .true., status)
    call refused(status, bio_bad_argument, "variable 'number': values of a type that cannot be stored as float64")
    call run%put(row, values(2, :), status)
    call refused(status, bio_bad_argument, 'variable 1: the values are a section with gaps')
    call run%attribute(bundle, row, 'gaps', values(2, :), status)
    call refused(status, bio_bad_argument, 'attribute gaps: the values are a section with gaps')
    call run%put(row, values(4:1:-1, 1), status)
    call refused(status, bio_bad_argument, 'variable 1: the values are a section with gaps')
    call run%put(cube, halo(:, 3:1:-1, :), status)
    call refused(status, bio_bad_argument, 'variable 2: the values are a section with gaps')
    call run%put(cube, left_out(3:1:-1, :), status)
    call refused(status, bio_bad_argument, 'variable 2: the values are a section with gaps')
    if (rank == 0) then
      call run%put(row, values(1:3, 1), status)
      call refused(status, bio_bad_argument, "variable 'row': 3 values, but this rank holds 4")
    end if
    call run%close(status)
    call refused(status, bio_bad_argument, 'values of type int8')
    call run%open(context, trim(folder), bio_append, trim(backend))
    bundle = run%bundle('errors')
    call run%attribute(bundle, bio_global, 'letters', ['a', 'b'])
    call run%attribute(bundle, bio_global, 'texts', ['ab', 'cd'], status)
    ! Compilers disagree on what is wrong with them.
    call refused(status, bio_bad_argument, '')
    call run%close(status)
    call refused(status, bio_bad_argument, '')
  end subroutine

  subroutine write_step(step)
    integer, intent(in) :: step
    character(:), allocatable :: json
    integer :: bundle, lev_dim, lat_dim, lon_dim, field, mapped, from_one, x, y, level, i, types, dims(5), id(0:5)
    integer, parameter :: lengths(5) = [2, 1, 3, 1, 2]
    character(*), parameter :: units = 'hours since 1999-12-31 18:00:00 -06:00'
    integer :: times, time, bounds, when
    type(bio_date) :: date
    real(real64), target :: noon, both(2), rare_value
    integer :: rare, now(2)
    real(real32), target :: values(lon, rows, levels)
    integer(int64), target :: moved(size(cells) + 1)
    real(real64), target :: zero
    integer(int8), target :: one(2)
    integer(int16), target :: two(1, 2)
    integer(int32), target :: three(3, 1, 2)
    integer(int64), target :: four(1, 3, 1, 2)
    real(real32), target :: five(2, 1, 3, 1, 2)
    bundle = run%bundle('verbs')
    lev_dim = run%dimension(bundle, 'lev', int(levels, int64))
    lat_dim = run%dimension(bundle, 'lat', lat)
    lon_dim = run%dimension(bundle, 'lon', lon)
    field = run%variable(bundle, 'by rows', bio_float32, [lon_dim, lat_dim, lev_dim], by_rows)
    mapped = run%variable(bundle, 'mapped', bio_int64, [lon_dim, lat_dim], map)
    from_one = run%variable(bundle, 'counted', bio_int64, [lon_dim, lat_dim], counted)
    call run%attribute(bundle, bio_global, 'Conventions', 'CF-1.8')
    call run%attribute(bundle, field, 'range', [1.0_real32, 2.5_real32])
    ! One variable of each rank and of most types, on rank 0; values count up as memory lies.
    types = run%bundle('types')
    do i = 1, 5
      dims(i) = run%dimension(types, 'd' // achar(iachar('0') + i - 1), lengths(i))
    end do
    id = [(run%variable(types, 'rank ' // achar(iachar('0') + i), kind_of(i), dims(i:1:-1)), i = 0, 5)]
    call run%attribute(types, id(0), 'two', [1.0_real64, 2.5_real64])
    call run%attribute(types, id(0), 'one', 1.0_real64)
    call run%attribute(types, id(1), 'two', [1_int8, 2_int8])
    call run%attribute(types, id(1), 'one', 1_int8)
    call run%attribute(types, id(2), 'two', [1_int16, 2_int16])
    call run%attribute(types, id(2), 'one', 1_int16)
    call run%attribute(types, id(3), 'two', [1, 2])
    call run%attribute(types, id(3), 'one', 1)
    call run%attribute(types, id(4), 'two', [1_int64, 2_int64])
    call run%attribute(types, id(4), 'one', 1_int64)
    call run%attribute(types, id(5), 'two', [1.0, 2.5])
    call run%attribute(types, id(5), 'one', 1.0)
    times = run%bundle('times')
    when = run%dimension(times, 'time', bio_unlimited)
    call run%time(times, when, units, 'noleap', time, bounds)
    ! This bundle is due in the first of the two steps only.
    rare = run%bundle('rare')
    now = [run%variable(rare, 'once', bio_float64, [integer ::]), run%variable(rare, 'second', bio_float64, [integer ::])]
    call run%every(now(1), bio_once)
    call run%every(now(2), 2)
    call context%time_value(units, 'noleap', bio_date(2000 + step, 3, 1, 12, 0, 0.0_real64), noon)
    call context%date(units, 'noleap', noon, date)
    call require(date%year == 2000 + step .and. date%month == 3 .and. date%hour == 12, 'the date of a value')
    call context%time_value(units, 'lunar', date, both(1), status)
    call refused(status, bio_bad_argument, "calendar 'lunar'")
    both = [noon - 12, noon + 12]
    zero = 7
    one = [0_int8, 1_int8]
    two = reshape([0_int16, 1_int16], shape(two))
    three = reshape([(i, i = 0, 5)], shape(three))
    four = reshape([(int(i, int64), i = 0, 5)], shape(four))
    five = reshape([(real(i), i = 0, 11)], shape(five))
    do level = 1, levels
      do y = 1, rows
        do x = 1, lon
          values(x, y, level) = real(1000 * step + 100 * (level - 1) + 10 * (first + y - 1) + x - 1, real32)
        end do
      end do
    end do
    moved = [cells - 1 + step, 0_int64]
    call run%put(field, values, status)
    call refused(status, bio_state, 'put outside a step')
    call run%step_end(status)
    call refused(status, bio_state, 'rank 0: put outside a step')
    call run%step_begin()
    call run%put_levels(field, 4, levels - 3, values(:, :, 4:))
    call run%put_levels(field, 1, 3, values(:, :, 1:3))
    call run%put_address(mapped, c_loc(moved))
    call run%put(from_one, moved)
    call run%put(time, noon)
    call run%put(bounds, both)
    rare_value = 5
    do i = 1, 2
      call require(run%is_due(now(i)) .eqv. step == 0, 'what is due')
      if (step == 0) call run%put(now(i), rare_value)
    end do
    call run%put(id(0), zero)
    call run%put(id(1), one)
    call run%put(id(2), two)
    call run%put(id(3), three)
    call run%put(id(4), four)
    call run%put(id(5), five)
    call run%step_end()
    call run%wait()
    call require(run%test(), 'a step is not visible after wait')
    json = run%report()
    call require((rank == 0) .eqv. index(json, '"steps": 1') > 0, 'report')
  end subroutine

  pure integer function kind_of(rank_of_array) result(kind)
    integer, intent(in) :: rank_of_array
    integer, parameter :: kinds(0:5) = [bio_float64, bio_int8, bio_int16, bio_int32, bio_int64, bio_float32]
    kind = kinds(rank_of_array)
  end function

end program
