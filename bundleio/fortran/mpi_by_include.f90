! Module mpi for a compiler that cannot read the one of the MPI library, which another compiler made: what mpif.h has.
!
! Not installed as a replacement: a model that is built with such a compiler brings an MPI library of that compiler.
module mpi
  implicit none
  include 'mpif.h'
  interface
    subroutine MPI_Abort(comm, code, ierr)
      integer :: comm, code, ierr
    end subroutine
  end interface
end module
