! A model's output in Fortran: two steps of one bundle, each rank writing its rows.
!   mpirun -n 4 example_f90 FOLDER [BACKEND [OPTIONS]]
program example
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use mpi
  use bundleio
  implicit none
  integer, parameter :: levels = 3, lat = 12, lon = 24
  type(bio_context) :: context
  type(bio_run) :: run
  character(256) :: folder, backend, options
  integer :: rank, ranks, ierr, first, rows, by_rows, step, level, y, x
  integer :: bundle, time_dim, lev_dim, lat_dim, lon_dim, hours, q
  real(real64), target :: hour
  real(real32), allocatable, target :: values(:, :, :)

  folder = 'example-run'
  backend = 'pnetcdf'
  options = ''
  if (command_argument_count() >= 1) call get_command_argument(1, folder)
  if (command_argument_count() >= 2) call get_command_argument(2, backend)
  if (command_argument_count() >= 3) call get_command_argument(3, options)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  first = lat * rank / ranks
  rows = lat * (rank + 1) / ranks - first

  call context%init(MPI_COMM_WORLD)
  by_rows = context%block([lon, lat], [1, first + 1], [lon, rows])
  call run%open(context, folder, bio_replace, backend, options)
  bundle = run%bundle('Moist')
  time_dim = run%dimension(bundle, 'time', bio_unlimited)
  lev_dim = run%dimension(bundle, 'lev', levels)
  lat_dim = run%dimension(bundle, 'lat', lat)
  lon_dim = run%dimension(bundle, 'lon', lon)
  hours = run%variable(bundle, 'time', bio_float64, [time_dim])
  q = run%variable(bundle, 'Q', bio_float32, [lon_dim, lat_dim, lev_dim, time_dim], by_rows)
  call run%attribute(bundle, bio_global, 'Conventions', 'CF-1.8')
  call run%attribute(bundle, q, 'units', 'kg kg-1')

  allocate (values(lon, rows, levels))
  do step = 0, 1
    hour = 6.0_real64 * step
    do level = 1, levels
      do y = 1, rows
        do x = 1, lon
          values(x, y, level) = real(1000 * step + 300 * (level - 1) + (first + y - 1) * lon + x - 1, real32)
        end do
      end do
    end do
    call run%step_begin()
    call run%put(hours, hour)
    call run%put(q, values)
    call run%step_end()
  end do
  call run%close()
  call context%finish()
  call MPI_Finalize(ierr)
end program
