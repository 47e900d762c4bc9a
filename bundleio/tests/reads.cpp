// Reads the last step that an example wrote, by columns, and compares every value; asks wrongly.
//   mpirun -n 2 reads_cpp FOLDER
#include <bundleio/bundleio.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int code = argc == 2 ? 0 : 2;
  if (code == 0) {
    const bio::Context context(MPI_COMM_WORLD);
    bio::Reader reader(context, argv[1]);
    const bio::Shape shape = reader.shape("Moist", "Q");
    if (reader.step() != 1 || shape.type != BIO_FLOAT32 ||
        shape.lengths != bio::Extent{1, 3, 12, 24}) {
      code = 1;
    }
    const std::int64_t first = 24 * rank / size;
    const std::int64_t columns = 24 * (rank + 1) / size - first;
    const int byColumns = context.block({12, 24}, {0, first}, {12, columns});
    std::vector<float> q(static_cast<std::size_t>(3 * 12 * columns));
    reader.get("Moist", "Q", byColumns, q);
    std::size_t at = 0;
    for (int level = 0; level < 3; ++level) {
      for (int row = 0; row < 12; ++row) {
        for (std::int64_t column = first; column < first + columns; ++column) {
          if (q[at++] != static_cast<float>(1000 + 300 * level + 24 * row + column)) code = 1;
        }
      }
    }
    std::vector<double> hour(1);
    reader.get("Moist", "time", BIO_ON_ROOT, hour);
    if (rank == 0 && hour[0] != 6.0) code = 1;
    try {
      reader.get("Moist", "Q", byColumns, hour);
      code = 1;
    } catch (const bio::Error& error) {
      if (error.status() != BIO_MISMATCH) code = 1;
      std::printf("%s\n", error.what());
    }
    reader.close();
  }
  MPI_Finalize();
  return code;
}
