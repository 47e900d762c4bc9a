! Variables of several dimensions that no decomposition divides, put and read back as PIO's documentation has it.
!   mpirun -n 4 arrays FOLDER IOTYPE
program arrays
  use pio
  use mpi
  implicit none
  integer, parameter :: lon = 4, lat = 3, lev = 2, frames = 4
  integer, parameter :: lengths(5) = [2, 1, 3, 1, 2]
  type(iosystem_desc_t) :: iosystem
  type(file_desc_t) :: file
  type(var_desc_t) :: grid, parts, volume, field, five, four, number
  integer :: rank, ranks, ierr, i, iotype, dims(4), axes(5)
  real :: plane(lon, lat), times(lon, lat, frames), flat(lon * lat), few(2, 2), one
  double precision :: cube(lon, lat, lev), cube_back(lon, lat, lev)
  integer :: solid(2, 1, 3, 1, 2), solid_back(2, 1, 3, 1, 2), slice(2, 1, 3, 1), slice_back(2, 1, 3, 1), single
  character(1024) :: folder, text

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call get_command_argument(1, folder)
  call get_command_argument(2, text)
  read (text, *) iotype
  call PIO_init(rank, MPI_COMM_WORLD, ranks, 0, 1, PIO_rearr_box, iosystem)
  call must(PIO_createfile(iosystem, file, iotype, trim(folder) // '/out.nc'), 'createfile')
  call define()
  ! Rank 0's values count.
  plane = reshape([(real(i), i = 1, lon * lat)], shape(plane)) + merge(0, 1000, rank == 0)
  cube = reshape([(10d0 * i, i = 1, lon * lat * lev)], shape(cube))
  solid = reshape([(-i, i = 1, product(lengths))], shape(solid))
  slice = solid(:, :, :, :, 2)
  call put()
  plane = plane - merge(0, 1000, rank == 0)
  call read_all(4)
  call PIO_closefile(file)
  call must(PIO_openfile(iosystem, file, iotype, trim(folder) // '/out.nc'), 'openfile')
  call find()
  call read_all(4)
  call read_parts()
  call PIO_seterrorhandling(iosystem, PIO_return_error)
  call refuse()
  call PIO_closefile(file)
  call PIO_finalize(iosystem, ierr)
  if (rank == 0) print '(a)', 'arrays: as put'
  call MPI_Finalize(ierr)

contains

  subroutine define()
    character, parameter :: names(5) = ['a', 'b', 'c', 'd', 'e']
    call must(PIO_def_dim(file, 'lon', lon, dims(1)), 'def_dim')
    call must(PIO_def_dim(file, 'lat', lat, dims(2)), 'def_dim')
    call must(PIO_def_dim(file, 'lev', lev, dims(3)), 'def_dim')
    call must(PIO_def_dim(file, 'time', PIO_unlimited, dims(4)), 'def_dim')
    do i = 1, 5
      call must(PIO_def_dim(file, names(i), lengths(i), axes(i)), 'def_dim')
    end do
    call must(PIO_def_var(file, 'grid', PIO_real, dims(1:2), grid), 'def_var')
    call must(PIO_def_var(file, 'parts', PIO_real, dims(1:2), parts), 'def_var')
    call must(PIO_def_var(file, 'volume', PIO_double, dims(1:3), volume), 'def_var')
    call must(PIO_def_var(file, 'field', PIO_real, [dims(1:2), dims(4)], field), 'def_var')
    call must(PIO_def_var(file, 'five', PIO_int, axes, five), 'def_var')
    call must(PIO_def_var(file, 'four', PIO_int, axes(1:4), four), 'def_var')
    call must(PIO_def_var(file, 'number', PIO_int, number), 'def_var')
    call must(PIO_enddef(file), 'enddef')
  end subroutine

  subroutine find()
    call must(PIO_inq_varid(file, 'grid', grid), 'inq_varid')
    call must(PIO_inq_varid(file, 'parts', parts), 'inq_varid')
    call must(PIO_inq_varid(file, 'volume', volume), 'inq_varid')
    call must(PIO_inq_varid(file, 'field', field), 'inq_varid')
    call must(PIO_inq_varid(file, 'five', five), 'inq_varid')
    call must(PIO_inq_varid(file, 'four', four), 'inq_varid')
    call must(PIO_inq_varid(file, 'number', number), 'inq_varid')
  end subroutine

  subroutine put()
    real, target :: two(lon, lat, 2)
    call must(PIO_put_var(file, grid, plane), 'put_var of two dimensions')
    call must(PIO_put_var(file, volume%varid, cube), 'put_var of three')
    call must(PIO_put_var(file, four, slice), 'put_var of four')
    call must(PIO_put_var(file, five, solid), 'put_var of five')
    call must(PIO_put_var(file, number, 17), 'put_var of a scalar')
    do i = 1, lat
      call must(PIO_put_var(file, parts, [1, i], [lon - 1, 1], plane(:lon - 1, i)), 'put_var of a part')
      call must(PIO_put_var(file, parts, [lon, i], plane(lon, i)), 'put_var of a value')
    end do
    call must(PIO_put_var(file, field, [1, 1, 1], [lon, lat, 1], plane + 100), 'put_var of a frame')
    ! As models do that have one place for all of them: what is behind counts nothing.
    call must(PIO_put_var(file, field%varid, [1, 1, 2, 0, 0], [lon, lat, 1, 0, 0], plane + 200), 'put_var of the next one')
    two(:, :, 1) = plane + 300
    two(:, :, 2) = plane + 400
    call must(PIO_put_var(file, field, [1, 1, 3], [lon, lat, 2], two), 'put_var of two frames')
  end subroutine

  subroutine read_all(wanted)
    integer, intent(in) :: wanted
    real :: back(lon, lat)
    times = -1
    call must(PIO_get_var(file, grid, back), 'get_var of two dimensions')
    call must(PIO_get_var(file, volume, cube_back), 'get_var of three')
    call must(PIO_get_var(file, four, slice_back), 'get_var of four')
    call must(PIO_get_var(file, five%varid, solid_back), 'get_var of five')
    call must(PIO_get_var(file, number, single), 'get_var of a scalar')
    call must(PIO_get_var(file, field, times), 'get_var of all frames')
    call expect(all(nint(back) == nint(plane)), 'the grid')
    call must(PIO_get_var(file, parts, back), 'get_var of what was put in parts')
    call expect(all(nint(back) == nint(plane)), 'the parts')
    call expect(all(nint(cube_back) == nint(cube)), 'the volume')
    call expect(all(slice_back == slice) .and. all(solid_back == solid), 'four and five dimensions')
    call expect(single == 17, 'the number')
    do i = 1, wanted
      call expect(all(nint(times(:, :, i)) == nint(plane) + 100 * i), 'frames')
    end do
  end subroutine

  subroutine read_parts()
    call must(PIO_get_var(file, grid%varid, flat), 'into an array of another shape')
    call expect(all(nint(flat) == [(i, i = 1, lon * lat)]), 'in the order of memory')
    call must(PIO_get_var(file, grid, [3, 2], one), 'get_var of a value')
    call expect(nint(one) == nint(plane(3, 2)), 'the value')
    call must(PIO_get_var(file, grid, [2, 2], [2, 2], few), 'get_var of a part')
    call expect(all(nint(few) == nint(plane(2:3, 2:3))), 'the part')
    few = 0
    call must(PIO_get_var(file, field%varid, [4, 2, 2, 9, 9], [1, 1, 3, 9, 9], few), 'get_var along frames')
    call expect(nint(few(1, 1)) == 208 .and. nint(few(2, 1)) == 308 .and. nint(few(1, 2)) == 408, 'along frames')
    call expect(nint(few(2, 2)) == 0, 'and no more')
    call must(PIO_get_var(file, field, [1, 1, 1], [lon, lat, 0], few), 'get_var of nothing')
  end subroutine

  ! Each is an error on all ranks, and the file goes on.
  subroutine refuse()
    real :: wide(2 * lon, lat)
    call expect(PIO_get_var(file, grid, cube_back) /= PIO_noerr, 'values of another type')
    call expect(PIO_get_var(file, grid, few) /= PIO_noerr, 'room for too few')
    call expect(PIO_get_var(file, grid, wide(1::2, :)) /= PIO_noerr, 'a section with gaps')
    call expect(PIO_get_var(file, grid, [2], one) /= PIO_noerr, 'an index of one dimension')
    call expect(PIO_get_var(file, grid, [2, 4], one) /= PIO_noerr, 'an index beyond')
    call expect(PIO_get_var(file, grid, [0, 1], one) /= PIO_noerr, 'an index before')
    call expect(PIO_get_var(file, field, [1, 1, frames], [lon, lat, 2], times) /= PIO_noerr, 'a frame that is not there')
    call expect(PIO_get_var(file, grid, [1 + rank / 3, 1], one) /= PIO_noerr, 'another part on one rank')
    call expect(PIO_get_var(file, merge(9, grid%varid, rank == 1), plane) /= PIO_noerr, 'no such variable on one rank')
    call expect(PIO_put_var(file, grid, plane) /= PIO_noerr, 'a file that is read')
    call must(PIO_get_var(file, grid, plane), 'and one that is as it should be')
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (.not. holds) call must(-1, what)
  end subroutine

  subroutine must(code, what)
    integer, intent(in) :: code
    character(*), intent(in) :: what
    integer :: ierr
    if (code == PIO_noerr) return
    print '(a, i0)', 'arrays: ' // what // ': ', code
    call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
  end subroutine

end program
