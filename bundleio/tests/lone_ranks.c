/* Preloaded into a run, makes each rank believe that it is alone on its machine. */
#include <mpi.h>

int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made) {
  int rank = 0;
  (void)kind;
  (void)info;
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank, key, made);
}
