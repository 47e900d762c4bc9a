#include "step/auto_choice.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "backends/backend.hpp"
#include "backends/mpi_folder.hpp"
#include "guard/mpi_io.hpp"

namespace bundleio {

namespace {

// All ranks together: large enough to leave the caches of the processors, small enough to be quick.
constexpr std::int64_t probeBytes = 64 << 20;
constexpr std::int64_t probeBytesPerRankMax = 4 << 20;
constexpr int runBytes = 4096;  // a rank's cells of one row of a plane, roughly
constexpr int probeRounds = 3;  // the fastest counts: the first also warms up
/// Where own files are less than this much faster, files that every tool reads are worth more.
constexpr double worthwhileGain = 1.5;

class Probe {
 public:
  Probe(const Communicator& comm, const std::filesystem::path& folder)
      : comm_(comm), folder_(folder), shared_(folder / ".probe-shared") {
    own_ = folder / (".probe-" + std::to_string(comm.rank()));
    const std::int64_t bytes = std::min(probeBytesPerRankMax, probeBytes / comm.size());
    runs_ = static_cast<int>(std::max<std::int64_t>(1, bytes / runBytes));
    values_.resize(static_cast<std::size_t>(runs_) * runBytes);
  }
  ~Probe() {
    std::error_code ignored;
    std::filesystem::remove(own_, ignored);
    if (comm_.isRoot()) std::filesystem::remove(shared_, ignored);
  }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  double ownSeconds() const {
    return fastest([&] {
      const int file = ::open(own_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
      if (file < 0) return false;
      const ssize_t written = ::write(file, values_.data(), values_.size());
      return ::close(file) == 0 && written == static_cast<ssize_t>(values_.size());
    });
  }

  double sharedSeconds() {
    return fastest([&] {
      MPI_File file = MPI_FILE_NULL;
      const int opened = MPI_File_open(comm_.handle(), folder_.forMpi(shared_).c_str(),
                                       MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
      // Collective: it failed everywhere or nowhere that matters for the next call.
      if (comm_.minimum(opened == MPI_SUCCESS ? 1 : 0) == 0) {
        if (opened == MPI_SUCCESS) MPI_File_close(&file);
        return false;
      }
      component_ = componentOf(file);
      const bool written = writeInTurns(file);
      return (MPI_File_close(&file) == MPI_SUCCESS) && written;
    });
  }

  [[nodiscard]] const std::string& component() const { return component_; }

 private:
  // Seconds of the slowest rank; 0 if it failed on any.
  template <class Work>
  double fastest(Work&& work) const {
    double best = 0;
    for (int round = 0; round < probeRounds; ++round) {
      MPI_Barrier(comm_.handle());
      const double start = MPI_Wtime();
      const bool isWell = work();
      const double mine = MPI_Wtime() - start;
      if (comm_.minimum(isWell ? 1 : 0) == 0) return 0;
      double slowest = 0;
      MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm_.handle());
      best = round == 0 ? slowest : std::min(best, slowest);
    }
    return best;
  }

  bool writeInTurns(MPI_File file) const {
    MPI_Datatype turns = MPI_DATATYPE_NULL;
    MPI_Type_vector(runs_, runBytes, runBytes * comm_.size(), MPI_BYTE, &turns);
    MPI_Type_commit(&turns);
    char native[] = "native";
    const MPI_Offset first = static_cast<MPI_Offset>(comm_.rank()) * runBytes;
    const int viewed = MPI_File_set_view(file, first, MPI_BYTE, turns, native, MPI_INFO_NULL);
    const int written = MPI_File_write_all(file, values_.data(), static_cast<int>(values_.size()),
                                           MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&turns);
    return viewed == MPI_SUCCESS && written == MPI_SUCCESS;
  }

  // ROMIO lists its hints in a file's info. Open MPI 4 hands none of them on; but a component that
  // was asked for has opened the file, or it would not be open.
  static std::string componentOf(MPI_File file) {
    MPI_Info info = MPI_INFO_NULL;
    if (MPI_File_get_info(file, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return "unknown";
    char value[MPI_MAX_INFO_VAL + 1] = {};
    int isThere = 0;
    char key[] = "romio_cb_write";
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &isThere);
    MPI_Info_free(&info);
    if (isThere != 0) return "ROMIO";
#ifdef OPEN_MPI
    const char* wanted = std::getenv("OMPI_MCA_io");
    const std::string_view asked = wanted == nullptr ? "" : wanted;
    if (asked.rfind("romio", 0) == 0 || asked == "^ompio") return "ROMIO";
#endif
    return "not ROMIO: often slower";
  }

  const Communicator& comm_;
  MpiFolder folder_;
  std::filesystem::path own_;
  std::filesystem::path shared_;
  int runs_;
  std::vector<char> values_;
  std::string component_ = "not asked";
};

bool mayProbe(const Options& options) {
  const char* setting = std::getenv("BUNDLEIO_AUTO_PROBE");
  return options.flag("auto_probe") && (setting == nullptr || std::string_view(setting) != "no");
}

std::string factsText(const Platform& platform) {
  std::array<char, 300> text{};
  const std::string place = std::to_string(platform.ranks) + " ranks on " +
                            std::to_string(platform.nodes) + " nodes, " +
                            std::string(platform.fileSystem.name) + ", MPI-IO " + platform.mpiIo;
  if (platform.ownSeconds <= 0 || platform.sharedSeconds <= 0) return place + ", not probed";
  std::snprintf(text.data(), text.size(),
                "%s, probe %.3f s into files of each rank, %.3f s into one", place.c_str(),
                platform.ownSeconds, platform.sharedSeconds);
  return text.data();
}

}  // namespace

Choice chooseFor(const Platform& platform) {
  const std::string facts = " (" + factsText(platform) + ")";
  if (platform.ranks == 1) {
    return {"gather", "gather: one rank writes serial NetCDF without MPI-IO" + facts};
  }
  if (!platform.hasBp5 && !platform.hasPnetcdf) {
    return {"gather", "gather: neither bp5 nor pnetcdf is built" + facts};
  }
  const std::string& problem = platform.mpiIoProblem;
  if (!platform.hasBp5 && !problem.empty()) {
    return {"gather", "gather: bp5 is not built, and pnetcdf cannot be used: " + problem + facts};
  }
  if (!platform.hasBp5) {
    return {"pnetcdf", "pnetcdf: bp5 is not built, and other formats were slower" + facts};
  }
  if (platform.hasPnetcdf && !problem.empty()) {
    return {"bp5", "bp5: pnetcdf cannot be used: " + problem + facts};
  }
  const bool probed = platform.ownSeconds > 0 && platform.sharedSeconds > 0;
  if (platform.hasPnetcdf && probed &&
      platform.sharedSeconds < worthwhileGain * platform.ownSeconds) {
    return {"pnetcdf", "pnetcdf: one shared file is about as fast as many" + facts};
  }
  return {"bp5", "bp5: ranks that share one file wait for each other" + facts};
}

Choice chooseBackend(const Communicator& comm, const std::filesystem::path& folder,
                     const Options& options) {
  const std::vector<std::string> names = backendNames();
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Platform platform{comm.size(),          comm.nodes(), has("bp5"), has("pnetcdf"),
                    fileSystemOf(folder), "not asked",  0,          0};
  if (platform.hasPnetcdf && comm.size() > 1) platform.mpiIoProblem = problemOfMpiIo(comm);
  // The ranks must agree on it, or they would wait for each other.
  const bool isProbed = comm.minimum(mayProbe(options) ? 1 : 0) == 1;
  if (isProbed && platform.mpiIoProblem.empty()) {
    preferTellingMpiIo();
    std::optional<Probe> probe;
    comm.agree([&] { probe.emplace(comm, folder); });
    platform.ownSeconds = probe->ownSeconds();
    platform.sharedSeconds = probe->sharedSeconds();
    platform.mpiIo = probe->component();
  }
  const Choice mine = chooseFor(platform);
  return {comm.broadcast(mine.backend, 0), comm.broadcast(mine.reason, 0)};
}

}  // namespace bundleio
