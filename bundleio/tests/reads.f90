! Reads the last step that an example wrote, by columns, and compares every value; asks wrongly.
!   mpirun -n 2 reads_f90 FOLDER
program reads
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi, only: MPI_COMM_WORLD
  use bundleio
  implicit none
  type(bio_context) :: context
  type(bio_reader) :: reader
  real(real32), allocatable, target :: q(:, :, :)
  real(real64), target :: hour
  integer(int64), allocatable :: lengths(:)
  integer(int64) :: number
  character(1000) :: folder
  integer :: rank, ranks, first, columns, by_columns, kind, status, ierr, i, j, k
  logical :: same

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call get_command_argument(1, folder)
  call context%init(MPI_COMM_WORLD)
  call reader%open(context, trim(folder))
  call reader%step(number)
  call reader%shape('Moist', 'Q', kind, lengths)
  same = number == 1 .and. kind == bio_float32 .and. size(lengths) == 4
  if (same) same = all(lengths == [24, 12, 3, 1])
  first = 24 * rank / ranks
  columns = 24 * (rank + 1) / ranks - first
  by_columns = context%block([24, 12], [first + 1, 1], [columns, 12])
  allocate (q(columns, 12, 3))
  call reader%get('Moist', 'Q', q, by_columns)
  do k = 1, 3
    do j = 1, 12
      do i = 1, columns
        same = same .and. nint(q(i, j, k)) == 1000 + 300 * (k - 1) + 24 * (j - 1) + first + i - 1
      end do
    end do
  end do
  hour = 0
  call reader%get('Moist', 'time', hour)
  if (rank == 0) same = same .and. nint(hour) == 6
  call reader%get('Moist', 'Q', q(:, 1:11, :), by_columns, status=status)
  same = same .and. status == bio_bad_argument
  call reader%get('Moist', 'Q', hour, by_columns, status=status)
  same = same .and. status == bio_mismatch
  print '(a)', context%message()
  call reader%close()
  call context%finish()
  call MPI_Finalize(ierr)
  if (.not. same) stop 1
end program
