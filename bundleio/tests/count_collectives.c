/* Preloaded into a run, counts the collective calls of MPI that it makes, by communicator: those of
 * bundleio on its values and on its agreements, and those of the libraries below it. At the end the
 * first rank prints the most that one rank made, as "collectives: VALUES AGREEMENTS OTHERS". */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { VALUES, AGREEMENTS, OTHERS, KINDS };
static long counts[KINDS];

static void count(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  PMPI_Comm_get_name(comm, name, &length);
  if (strcmp(name, "bundleio values") == 0) {
    ++counts[VALUES];
  } else if (strcmp(name, "bundleio agreements") == 0) {
    ++counts[AGREEMENTS];
  } else {
    ++counts[OTHERS];
  }
}

#define COUNTED(name, parameters, arguments) \
  int MPI_##name parameters {                \
    count(comm);                             \
    return PMPI_##name arguments;            \
  }

typedef const void *In;
typedef void *Out;
typedef const int *Ints;
typedef MPI_Datatype Type;
typedef const MPI_Datatype *Types;

COUNTED(Barrier, (MPI_Comm comm), (comm))
COUNTED(Bcast, (Out b, int n, Type t, int r, MPI_Comm comm), (b, n, t, r, comm))
COUNTED(Reduce, (In s, Out b, int n, Type t, MPI_Op o, int r, MPI_Comm comm),
        (s, b, n, t, o, r, comm))
COUNTED(Allreduce, (In s, Out b, int n, Type t, MPI_Op o, MPI_Comm comm), (s, b, n, t, o, comm))
COUNTED(Scan, (In s, Out b, int n, Type t, MPI_Op o, MPI_Comm comm), (s, b, n, t, o, comm))
COUNTED(Exscan, (In s, Out b, int n, Type t, MPI_Op o, MPI_Comm comm), (s, b, n, t, o, comm))
COUNTED(Gather, (In s, int n, Type t, Out b, int m, Type u, int r, MPI_Comm comm),
        (s, n, t, b, m, u, r, comm))
COUNTED(Gatherv, (In s, int n, Type t, Out b, Ints m, Ints d, Type u, int r, MPI_Comm comm),
        (s, n, t, b, m, d, u, r, comm))
COUNTED(Igatherv,
        (In s, int n, Type t, Out b, Ints m, Ints d, Type u, int r, MPI_Comm comm, MPI_Request *q),
        (s, n, t, b, m, d, u, r, comm, q))
COUNTED(Scatter, (In s, int n, Type t, Out b, int m, Type u, int r, MPI_Comm comm),
        (s, n, t, b, m, u, r, comm))
COUNTED(Scatterv, (In s, Ints n, Ints d, Type t, Out b, int m, Type u, int r, MPI_Comm comm),
        (s, n, d, t, b, m, u, r, comm))
COUNTED(Allgather, (In s, int n, Type t, Out b, int m, Type u, MPI_Comm comm),
        (s, n, t, b, m, u, comm))
COUNTED(Allgatherv, (In s, int n, Type t, Out b, Ints m, Ints d, Type u, MPI_Comm comm),
        (s, n, t, b, m, d, u, comm))
COUNTED(Alltoall, (In s, int n, Type t, Out b, int m, Type u, MPI_Comm comm),
        (s, n, t, b, m, u, comm))
COUNTED(Alltoallv, (In s, Ints n, Ints d, Type t, Out b, Ints m, Ints e, Type u, MPI_Comm comm),
        (s, n, d, t, b, m, e, u, comm))
COUNTED(Alltoallw, (In s, Ints n, Ints d, Types t, Out b, Ints m, Ints e, Types u, MPI_Comm comm),
        (s, n, d, t, b, m, e, u, comm))

COUNTED(Reduce_scatter, (In s, Out b, Ints n, Type t, MPI_Op o, MPI_Comm comm),
        (s, b, n, t, o, comm))
COUNTED(Reduce_scatter_block, (In s, Out b, int n, Type t, MPI_Op o, MPI_Comm comm),
        (s, b, n, t, o, comm))
COUNTED(Neighbor_allgather, (In s, int n, Type t, Out b, int m, Type u, MPI_Comm comm),
        (s, n, t, b, m, u, comm))
COUNTED(Neighbor_allgatherv, (In s, int n, Type t, Out b, Ints m, Ints d, Type u, MPI_Comm comm),
        (s, n, t, b, m, d, u, comm))
COUNTED(Neighbor_alltoall, (In s, int n, Type t, Out b, int m, Type u, MPI_Comm comm),
        (s, n, t, b, m, u, comm))
COUNTED(Neighbor_alltoallv,
        (In s, Ints n, Ints d, Type t, Out b, Ints m, Ints e, Type u, MPI_Comm comm),
        (s, n, d, t, b, m, e, u, comm))

/* Those that return before they are done. */
COUNTED(Ibarrier, (MPI_Comm comm, MPI_Request *q), (comm, q))
COUNTED(Ibcast, (Out b, int n, Type t, int r, MPI_Comm comm, MPI_Request *q), (b, n, t, r, comm, q))
COUNTED(Ireduce, (In s, Out b, int n, Type t, MPI_Op o, int r, MPI_Comm comm, MPI_Request *q),
        (s, b, n, t, o, r, comm, q))
COUNTED(Iallreduce, (In s, Out b, int n, Type t, MPI_Op o, MPI_Comm comm, MPI_Request *q),
        (s, b, n, t, o, comm, q))
COUNTED(Igather, (In s, int n, Type t, Out b, int m, Type u, int r, MPI_Comm comm, MPI_Request *q),
        (s, n, t, b, m, u, r, comm, q))
COUNTED(Iscatter, (In s, int n, Type t, Out b, int m, Type u, int r, MPI_Comm comm, MPI_Request *q),
        (s, n, t, b, m, u, r, comm, q))
COUNTED(Iscatterv,
        (In s, Ints n, Ints d, Type t, Out b, int m, Type u, int r, MPI_Comm comm, MPI_Request *q),
        (s, n, d, t, b, m, u, r, comm, q))
COUNTED(Iallgather, (In s, int n, Type t, Out b, int m, Type u, MPI_Comm comm, MPI_Request *q),
        (s, n, t, b, m, u, comm, q))
COUNTED(Iallgatherv,
        (In s, int n, Type t, Out b, Ints m, Ints d, Type u, MPI_Comm comm, MPI_Request *q),
        (s, n, t, b, m, d, u, comm, q))
COUNTED(Ialltoall, (In s, int n, Type t, Out b, int m, Type u, MPI_Comm comm, MPI_Request *q),
        (s, n, t, b, m, u, comm, q))
COUNTED(Ialltoallv,
        (In s, Ints n, Ints d, Type t, Out b, Ints m, Ints e, Type u, MPI_Comm comm,
         MPI_Request *q),
        (s, n, d, t, b, m, e, u, comm, q))

/* Those that make a communicator. */
COUNTED(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
COUNTED(Comm_create, (MPI_Comm comm, MPI_Group g, MPI_Comm *made), (comm, g, made))
COUNTED(Comm_split, (MPI_Comm comm, int c, int k, MPI_Comm *made), (comm, c, k, made))

int MPI_Finalize(void) {
  long most[KINDS];
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Allreduce(counts, most, KINDS, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) {
    fprintf(stderr, "collectives: %ld %ld %ld\n", most[VALUES], most[AGREEMENTS], most[OTHERS]);
  }
  return PMPI_Finalize();
}
