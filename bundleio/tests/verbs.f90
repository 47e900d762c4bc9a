! Every verb of the Fortran module once, and the text of errors; what it writes is what verbs.py writes.
!   verbs_f90 FOLDER BACKEND
program verbs
  use, intrinsic :: iso_c_binding, only: c_loc
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real32
  use mpi
  use bundleio
  implicit none
  integer, parameter :: levels = 4, lat = 5, lon = 6
  type(bio_context) :: context
  type(bio_file) :: file
  character(256) :: folder, backend
  integer :: rank, ranks, ierr, first, rows, by_rows, map, cell, step, status
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
  call file%open(context, trim(folder), bio_create, 'nosuch', status=status)
  call require(status == bio_bad_argument, 'the status of an unknown back end')
  call require(index(context%message(), "rank 0: unknown back end 'nosuch'") == 1, context%message())
  do step = 0, 1
    call file%open(context, trim(folder), merge(bio_create, bio_append, step == 0), trim(backend))
    call write_step(step)
    call file%close()
    call file%step_begin(status)
    call require(status == bio_bad_argument, 'the status of a closed file')
  end do
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

  subroutine write_step(step)
    integer, intent(in) :: step
    integer :: bundle, lev_dim, lat_dim, lon_dim, field, mapped, x, y, level
    real(real32), target :: values(lon, rows, levels)
    integer(int64), target :: moved(size(cells))
    bundle = file%bundle('verbs')
    lev_dim = file%dimension(bundle, 'lev', int(levels, int64))
    lat_dim = file%dimension(bundle, 'lat', int(lat, int64))
    lon_dim = file%dimension(bundle, 'lon', int(lon, int64))
    field = file%variable(bundle, 'by rows', bio_float32, [lon_dim, lat_dim, lev_dim], by_rows)
    mapped = file%variable(bundle, 'mapped', bio_int64, [lon_dim, lat_dim], map)
    call file%text(bundle, bio_global, 'Conventions', 'CF-1.8')
    call file%number(bundle, field, 'range', [1.0_real32, 2.5_real32])
    do level = 1, levels
      do y = 1, rows
        do x = 1, lon
          values(x, y, level) = real(1000 * step + 100 * (level - 1) + 10 * (first + y - 1) + x - 1, real32)
        end do
      end do
    end do
    moved = cells - 1 + step
    call file%step_begin()
    call file%put_levels(field, 4_int64, int(levels - 3, int64), c_loc(values(1, 1, 4)))
    call file%put_levels(field, 1_int64, 3_int64, c_loc(values))
    call file%put(mapped, c_loc(moved))
    call file%step_end()
    call file%wait()
    call require(file%test(), 'a step is not visible after wait')
    call require((rank == 0) .eqv. index(file%report(), '"steps": 1') > 0, 'report')
  end subroutine

end program
