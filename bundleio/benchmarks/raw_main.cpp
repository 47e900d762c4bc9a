// bundleio_raw: the same steps through bundleio and by direct calls, in turn, in the same
// processes; prints the processor time of both as one JSON object per back end.
//   mpirun -n RANKS bundleio_raw FOLDER BACKEND REPEATS STEPS GRID_LAT GRID_LON
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "exchange/pace.hpp"
#include "guard/mpi_io.hpp"
#include "raw.hpp"

namespace bundleio::raw {

void require(bool isWell, const char* what) {
  if (isWell) return;
  std::fprintf(stderr, "bundleio_raw: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

std::map<std::string, std::string> hintsOf(const Work& work) {
  int ranks = 0;
  MPI_Comm_size(work.comm, &ranks);
  return pacedHints(Options(""), work.schema, ranks);
}

Hyperslab ownSlab(const Variable& variable) {
  return hyperslabs(variable, variable.decomposition->own(), 0, variable.planeCount).front();
}

namespace {

const std::map<std::string, std::function<void(const Work&)>> writers{
    {"posix", writePosix},
#ifdef BUNDLEIO_WITH_PNETCDF
    {"pnetcdf", writePnetcdf},
#endif
#ifdef BUNDLEIO_WITH_NETCDF4
    {"netcdf4", writeNetcdf4},
#endif
#ifdef BUNDLEIO_WITH_ADIOS2
    {"bp5", writeBp5},
#endif
};

double ownCpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class Comparison {
 public:
  Comparison(const Communicator& comm, std::filesystem::path folder, std::string backend, int steps,
             Grid grid)
      : comm_(comm),
        folder_(std::move(folder)),
        backend_(std::move(backend)),
        steps_(steps),
        model_(comm, grid, 100),
        definitions_(comm, (folder_ / "definitions").string(), BIO_REPLACE, "posix", "") {
    model_.define(definitions_);
  }

  void repeat(int number) {
    // The first one finds the memory and the disk as the run before left them.
    for (const bool layer : {number % 2 == 0, number % 2 != 0}) {
      (layer ? layerSeconds_ : rawSeconds_).push_back(measured([&] {
        layer ? throughLayer() : directly();
      }));
      if (comm_.isRoot()) std::filesystem::remove_all(target());
      MPI_Barrier(comm_.handle());
    }
  }

  void print() const {
    if (!comm_.isRoot()) return;
    std::printf("{\"backend\": \"%s\", \"ranks\": %d, \"steps\": %d, ", backend_.c_str(),
                comm_.size(), steps_);
    printList("layer_cpu_seconds", layerSeconds_);
    std::printf(", ");
    printList("raw_cpu_seconds", rawSeconds_);
    std::printf("}\n");
  }

 private:
  [[nodiscard]] std::filesystem::path target() const { return folder_ / "run"; }

  double measured(const std::function<void()>& work) const {
    MPI_Barrier(comm_.handle());
    const double before = ownCpuSeconds();
    work();
    const double mine = ownCpuSeconds() - before;
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm_.handle());
    return all / steps_;
  }

  void throughLayer() {
    GeosModel& model = model_;
    // Direct calls sum nothing up, and hand each rank's own box to MPI-IO.
    const bool isShared = backend_ == "pnetcdf" || backend_ == "netcdf4";
    Run run(comm_, target().string(), BIO_REPLACE, backend_,
            std::string("checksums=no") + (isShared ? " exchange=no" : ""));
    model.redefine(run);
    for (int step = 0; step < steps_; ++step) model.writeStep(run);
  }

  void directly() const {
    for (int step = 0; step < steps_; ++step) {
      const auto folder = target() / ("step-" + std::to_string(step));
      if (comm_.isRoot()) std::filesystem::create_directories(folder);
      MPI_Barrier(comm_.handle());
      writers.at(backend_)({comm_.handle(), definitions_.schema(), model_, folder});
      // A step that some rank has not closed is not there for a reader.
      MPI_Barrier(comm_.handle());
    }
  }

  static void printList(const char* name, const std::vector<double>& values) {
    std::printf("\"%s\": [", name);
    for (std::size_t i = 0; i < values.size(); ++i)
      std::printf("%s%.4f", i == 0 ? "" : ", ", values[i]);
    std::printf("]");
  }

  const Communicator& comm_;
  std::filesystem::path folder_;
  std::string backend_;
  int steps_;
  GeosModel model_;
  Run definitions_;
  std::vector<double> layerSeconds_;
  std::vector<double> rawSeconds_;
};

}  // namespace

}  // namespace bundleio::raw

int main(int argc, char** argv) {
  bundleio::preferTellingMpiIo();  // as the layer does
  MPI_Init(&argc, &argv);
  {
    const bundleio::Communicator comm(MPI_COMM_WORLD);
    bundleio::raw::require(argc == 7, "usage: FOLDER BACKEND REPEATS STEPS GRID_LAT GRID_LON:");
    bundleio::raw::Comparison comparison(comm, argv[1], argv[2], std::atoi(argv[4]),
                                         {std::atoll(argv[5]), std::atoll(argv[6])});
    for (int number = 0; number < std::atoi(argv[3]); ++number) comparison.repeat(number);
    comparison.print();
  }
  MPI_Finalize();
  return 0;
}
