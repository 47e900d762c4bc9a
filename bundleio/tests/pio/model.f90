! A model written to PIO's documentation, in Fortran: a field without frames and one with, read back.
!   mpirun -n 4 model FOLDER [gap]   gap: gives an array with gaps, to see what is said; "one gap":
!                                    on the last rank alone, and goes on when all have been told
!                                    "no system", "rearr", "returned": calls without an I/O system
! A second program part goes on with the file, as after a restart, by what the file says of itself.
program model
  use, intrinsic :: iso_fortran_env, only: int8, int16, int64
  use pio
  use mpi
  implicit none
  integer, parameter :: lon = 4, lat = 8, frames = 2
  integer(PIO_offset_kind), parameter :: huge_length = 3000000000_PIO_offset_kind
  type(iosystem_desc_t) :: iosystem
  type(file_desc_t) :: file
  type(io_desc_t) :: iodesc
  type(var_desc_t) :: foo, bar, again, time, level
  integer :: rank, ranks, ierr, rows, first, i, j, dim_lon, dim_lat, dim_time, frame, there, north, before, dim_huge
  integer, allocatable :: compdof(:)
  real, allocatable :: values(:, :), wide(:, :), back(:, :)
  character(1024) :: folder, fault

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call get_command_argument(1, folder)
  call get_command_argument(2, fault)
  if (fault == 'returned') call PIO_seterrorhandling(PIO_default, PIO_return_error, before)
  if (fault == 'no system' .or. fault == 'returned') call PIO_initdecomp(iosystem, PIO_real, [lon, lat], [1], iodesc)
  if (fault == 'returned') call PIO_seterrorhandling(PIO_default, before)
  call PIO_init(rank, MPI_COMM_WORLD, ranks, 0, 1, merge(9, PIO_rearr_subset, fault == 'rearr'), iosystem, base=1)
  rows = lat / ranks
  first = rank * rows
  allocate (compdof(lon * rows), values(lon, rows), wide(2 * lon, rows), back(lon, rows))
  compdof = [(first * lon + i, i = 1, lon * rows)]
  call PIO_initdecomp(iosystem, PIO_real, [lon, lat], compdof, iodesc)

  call must(PIO_createfile(iosystem, file, PIO_iotype_pnetcdf, trim(folder)//'/out.nc', PIO_clobber), 'createfile')
  call must(PIO_def_dim(file, 'lon', lon, dim_lon), 'def_dim')
  call must(PIO_def_dim(file, 'lat', lat, dim_lat), 'def_dim')
  call must(PIO_def_dim(file, 'time', PIO_unlimited, dim_time), 'def_dim')
  call must(PIO_def_dim(file, 'huge', huge_length, dim_huge), 'def_dim')
  call must(PIO_def_var(file, 'bar', PIO_real, [dim_lon, dim_lat], bar), 'def_var')
  call must(PIO_def_var(file, 'foo', PIO_real, [dim_lon, dim_lat, dim_time], foo), 'def_var')
  call must(PIO_def_var(file, 'time', PIO_double, [dim_time], time), 'def_var')
  call must(PIO_def_var(file, 'lat', PIO_real, [dim_lat], north), 'def_var')
  call must(PIO_def_var(file, 'level', PIO_int, level), 'def_var')
  call must(PIO_put_att(file, foo, 'units', 'kg  '), 'put_att')
  call must(PIO_put_att(file, foo, 'range', [0.0, 5.0]), 'put_att')
  call must(PIO_put_att(file, PIO_global, 'levels', 3), 'put_att')
  call must(PIO_put_att(file, bar, 'wide', 2.5d0), 'put_att')
  call must(PIO_put_att(file, bar, 'long', 7_int64), 'put_att')
  call must(PIO_put_att(file, bar, 'short', 3_int16), 'put_att')
  call must(PIO_put_att(file, bar, 'byte', 4_int8), 'put_att')
  call PIO_seterrorhandling(file, PIO_return_error)
  call expect(PIO_put_att(file, bar, 'gaps', wide(1::2, 1)) /= PIO_noerr, 'an attribute of values with gaps is an error')
  call expect(PIO_put_att(file, bar, 'texts', ['ab', 'cd']) /= PIO_noerr, 'and one of several texts')
  call PIO_seterrorhandling(file, PIO_internal_error)
  call must(PIO_enddef(file), 'enddef')
  values = reshape([(real(first * lon + i), i = 1, lon * rows)], [lon, rows])
  if (fault == 'gap') call PIO_write_darray(file, bar, iodesc, wide(1::2, :), ierr)
  if (fault == 'one gap') call give_one_gap()
  if (fault == 'double') call PIO_write_darray(file, bar, iodesc, dble(values), ierr)
  call PIO_write_darray(file, bar, iodesc, values, ierr)
  call must(ierr, 'write_darray')
  call refuse_arrays()
  call must(PIO_put_var(file, level, 850), 'put_var of a scalar')
  call must(PIO_put_var(file, north, [(-90 + 20.0 * i, i = 1, lat)]), 'put_var of an array')
  do frame = 1, frames
    call must(PIO_put_var(file, time, [frame], 6d0 * frame), 'put_var of a frame')
    if (frame == 1) call PIO_setframe(file, foo, int(frame, PIO_offset_kind))
    if (frame > 1) call PIO_advanceframe(file, foo)
    call PIO_write_darray(file, foo, iodesc, values + 100 * frame, ierr)
    call must(ierr, 'write_darray')
  end do
  call PIO_syncfile(file)
  call PIO_closefile(file)

  call must(PIO_openfile(iosystem, file, PIO_iotype_pnetcdf, trim(folder)//'/out.nc'), 'openfile')
  call PIO_seterrorhandling(file, PIO_bcast_error)
  if (PIO_inq_varid(file, 'none', again) == PIO_noerr) call must(-1, 'a variable that is not there')
  call PIO_seterrorhandling(file, PIO_internal_error)
  call must(PIO_inq_varid(file, 'foo', again), 'inq_varid')
  do frame = 1, frames
    call PIO_setframe(file, again, int(frame, PIO_offset_kind))
    call PIO_read_darray(file, again, iodesc, back, ierr)
    call must(ierr, 'read_darray')
    do j = 1, rows
      if (any(abs(back(:, j) - (values(:, j) + 100 * frame)) > 0)) call must(-1, 'other values were read')
    end do
  end do
  call PIO_closefile(file)

  call must(PIO_openfile(iosystem, file, PIO_iotype_pnetcdf, trim(folder)//'/out.nc', PIO_write), 'openfile')
  call ask(frames, there)
  call must(PIO_inq_varid(file, 'foo', again), 'inq_varid')
  call must(PIO_inq_varid(file, 'time', time), 'inq_varid')
  call must(PIO_put_var(file, time%varid, [there + 1], [2], 6d0 * [there + 1, there + 2]), 'put_var of frames')
  do frame = there + 1, there + 2
    call PIO_setframe(file, again, int(frame, PIO_offset_kind))
    call PIO_write_darray(file, again, iodesc, values + 100 * frame, ierr)
    call must(ierr, 'write_darray')
  end do
  call PIO_setframe(file, again, int(there + 2, PIO_offset_kind))
  call PIO_read_darray(file, again, iodesc, back, ierr)
  call must(ierr, 'read_darray')
  if (any(abs(back - (values + 100 * (there + 2))) > 0)) call must(-1, 'other values were read')
  call ask(frames + 2, there)
  call PIO_closefile(file)
  call PIO_freedecomp(iosystem, iodesc)
  call PIO_finalize(iosystem, ierr)
  if (rank == 0) print '(a)', 'model: read as written'
  call MPI_Finalize(ierr)

contains

  ! Values that are not what the variable takes; all are told.
  subroutine refuse_arrays()
    call PIO_seterrorhandling(file, PIO_return_error)
    call expect(PIO_put_var(file, time, [1], 6.0) /= PIO_noerr, 'a value of another type')
    call expect(PIO_put_var(file, time, 6d0) /= PIO_noerr, 'a value without its frame')
    call expect(PIO_put_var(file, time, [1, 1], 6d0) /= PIO_noerr, 'an index of two dimensions')
    call expect(PIO_put_var(file, time, [1], [2], [6d0]) /= PIO_noerr, 'one value for two frames')
    call expect(PIO_put_var(file, north, wide(1::2, 1)) /= PIO_noerr, 'values with gaps')
    call expect(PIO_put_var(file, north, values(1:2, 1)) /= PIO_noerr, 'too few values')
    call expect(PIO_put_var(file, north, [lat], [2], values(1:2, 1)) /= PIO_noerr, 'a part that is not there')
    call PIO_seterrorhandling(file, PIO_internal_error)
  end subroutine

  subroutine give_one_gap()
    call PIO_seterrorhandling(file, PIO_return_error)
    if (rank == ranks - 1) call PIO_write_darray(file, bar, iodesc, wide(1::2, :), ierr)
    if (rank < ranks - 1) call PIO_write_darray(file, bar, iodesc, values, ierr)
    call expect(ierr /= PIO_noerr, 'an array with gaps, on one rank, is an error of all')
    if (rank == ranks - 1) call PIO_read_darray(file, bar, iodesc, wide(1::2, :), ierr)
    if (rank < ranks - 1) call PIO_read_darray(file, bar, iodesc, back, ierr)
    call expect(ierr /= PIO_noerr, 'such an array to read into')
    call PIO_seterrorhandling(file, PIO_internal_error)
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (.not. holds) call must(-1, what)
  end subroutine

  ! Every inquiry of the documentation's lists, and what it must answer.
  subroutine ask(expected, there)
    integer, intent(in) :: expected
    integer, intent(out) :: there
    type(var_desc_t) :: foo
    integer :: dims, vars, atts, unlimited, type, dimids(3), number
    integer(PIO_offset_kind) :: long
    character(PIO_max_name) :: name
    character(8) :: units
    real :: range(2)
    call must(PIO_inquire(file, dims, vars, atts, unlimited), 'inquire')
    call expect(dims == 4 .and. vars == 5 .and. atts == 1 .and. unlimited == 3, 'counts')
    call must(PIO_inq_unlimdim(file, number), 'inq_unlimdim')
    call must(PIO_inq_dimlen(file, number, there), 'inq_dimlen')
    call must(PIO_inq_dimlen(file, number, long), 'inq_dimlen')
    call expect(there == expected .and. long == there, 'frames')
    call must(PIO_inq_dimid(file, 'lat', number), 'inq_dimid')
    call must(PIO_inq_dimname(file, number, name), 'inq_dimname')
    call expect(number == 2 .and. name == 'lat', 'lat')
    call must(PIO_inquire_dimension(file, 1, name, number), 'inquire_dimension')
    call expect(name == 'lon' .and. number == lon, 'lon')
    call must(PIO_inq_varid(file, 'foo', foo), 'inq_varid')
    call must(PIO_inquire_variable(file, foo, name, type, dims, dimids, atts), 'inquire_variable')
    call expect(name == 'foo' .and. type == PIO_real .and. dims == 3 .and. atts == 2, 'foo')
    call expect(all(dimids == [1, 2, 3]), 'dimensions, fastest first')
    call must(PIO_inq_varname(file, foo, name), 'inq_varname')
    call must(PIO_inq_vartype(file, foo, type), 'inq_vartype')
    call must(PIO_inq_varndims(file, foo, dims), 'inq_varndims')
    call must(PIO_inq_vardimid(file, foo, dimids), 'inq_vardimid')
    call must(PIO_inq_varnatts(file, foo, atts), 'inq_varnatts')
    call expect(name == 'foo' .and. type == PIO_real .and. dims == 3 .and. atts == 2 .and. dimids(1) == 1, 'foo, one by one')
    call must(PIO_inq_varname(file, 1, name), 'inq_varname')
    call expect(name == 'bar', 'bar')
    call must(PIO_inq_att(file, foo, 'units', type, long), 'inq_att')
    call expect(type == PIO_char .and. long == 2, 'units')
    call must(PIO_inq_attlen(file, foo, 'range', long), 'inq_attlen')
    call must(PIO_inq_attname(file, foo, 2, name), 'inq_attname')
    call expect(long == 2 .and. name == 'range', 'range')
    call must(PIO_get_att(file, foo, 'units', units), 'get_att')
    call must(PIO_get_att(file, foo, 'range', range), 'get_att')
    call must(PIO_get_att(file, PIO_global, 'levels', number), 'get_att')
    call expect(units == 'kg' .and. range(1) < 1 .and. range(2) > 4 .and. number == 3, 'values of attributes')
    call must(PIO_inq_dimid(file, 'huge', number), 'inq_dimid')
    call must(PIO_inq_dimlen(file, number, long), 'inq_dimlen')
    call expect(long == huge_length, 'a length beyond default integers')
    call PIO_seterrorhandling(file, PIO_bcast_error)
    call expect(PIO_inq_dimlen(file, number, type) /= PIO_noerr, 'into one of them')
    call expect(PIO_inquire_dimension(file, number, name, type) /= PIO_noerr, 'nor beside its name')
    call expect(name == 'huge', 'which is told')
    if (PIO_get_att(file, foo, 'range', number) == PIO_noerr) call must(-1, 'a real as an integer')
    if (PIO_get_att(file, foo, 'range', range(1)) == PIO_noerr) call must(-1, 'two values into one')
    if (PIO_inq_dimid(file, 'none', number) == PIO_noerr) call must(-1, 'a dimension that is not there')
    number = PIO_inq_varname(file, 9, name)
    call must(PIO_strerror(number, name), 'strerror')
    call expect(name == 'Variable not found', 'the words of an error')
    call PIO_seterrorhandling(file, PIO_internal_error)
  end subroutine

  subroutine must(code, what)
    integer, intent(in) :: code
    character(*), intent(in) :: what
    integer :: ierr
    if (code == PIO_noerr) return
    print '(a, i0)', 'model: ' // what // ': ', code
    call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
  end subroutine

end program
