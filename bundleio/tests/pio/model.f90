! A model written to PIO's documentation, in Fortran: a field without frames and one with, read back.
!   mpirun -n 4 model FOLDER [gap]   gap: gives an array with gaps, to see what is said
program model
  use pio
  use mpi
  implicit none
  integer, parameter :: lon = 4, lat = 8, frames = 2
  type(iosystem_desc_t) :: iosystem
  type(file_desc_t) :: file
  type(io_desc_t) :: iodesc
  type(var_desc_t) :: foo, bar, again
  integer :: rank, ranks, ierr, rows, first, i, j, dim_lon, dim_lat, dim_time, frame
  integer, allocatable :: compdof(:)
  real, allocatable :: values(:, :), wide(:, :), back(:, :)
  character(1024) :: folder, fault

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call get_command_argument(1, folder)
  call get_command_argument(2, fault)
  call PIO_init(rank, MPI_COMM_WORLD, ranks, 0, 1, PIO_rearr_subset, iosystem, base=1)
  rows = lat / ranks
  first = rank * rows
  allocate (compdof(lon * rows), values(lon, rows), wide(2 * lon, rows), back(lon, rows))
  compdof = [(first * lon + i, i = 1, lon * rows)]
  call PIO_initdecomp(iosystem, PIO_real, [lon, lat], compdof, iodesc)

  call must(PIO_createfile(iosystem, file, PIO_iotype_pnetcdf, trim(folder)//'/out.nc', PIO_clobber), 'createfile')
  call must(PIO_def_dim(file, 'lon', lon, dim_lon), 'def_dim')
  call must(PIO_def_dim(file, 'lat', lat, dim_lat), 'def_dim')
  call must(PIO_def_dim(file, 'time', PIO_unlimited, dim_time), 'def_dim')
  call must(PIO_def_var(file, 'bar', PIO_real, [dim_lon, dim_lat], bar), 'def_var')
  call must(PIO_def_var(file, 'foo', PIO_real, [dim_lon, dim_lat, dim_time], foo), 'def_var')
  call must(PIO_put_att(file, foo, 'units', 'kg  '), 'put_att')
  call must(PIO_put_att(file, foo, 'range', [0.0, 5.0]), 'put_att')
  call must(PIO_put_att(file, PIO_global, 'levels', 3), 'put_att')
  call must(PIO_enddef(file), 'enddef')
  values = reshape([(real(first * lon + i), i = 1, lon * rows)], [lon, rows])
  if (fault == 'gap') call PIO_write_darray(file, bar, iodesc, wide(1::2, :), ierr)
  if (fault == 'double') call PIO_write_darray(file, bar, iodesc, dble(values), ierr)
  call PIO_write_darray(file, bar, iodesc, values, ierr)
  call must(ierr, 'write_darray')
  do frame = 1, frames
    call PIO_setframe(file, foo, int(frame, PIO_offset_kind))
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
  call PIO_freedecomp(iosystem, iodesc)
  call PIO_finalize(iosystem, ierr)
  if (rank == 0) print '(a)', 'model: read as written'
  call MPI_Finalize(ierr)

contains

  subroutine must(code, what)
    integer, intent(in) :: code
    character(*), intent(in) :: what
    integer :: ierr
    if (code == PIO_noerr) return
    print '(a, i0)', 'model: ' // what // ': ', code
    call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
  end subroutine

end program
