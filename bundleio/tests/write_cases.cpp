// Writes, through the C interface, a run that holds the awkward cases at once: uneven boxes, ranks
// with nothing, maps with holes, dimensions of length zero and unlimited ones, NaN and fill values,
// odd names, all types. What is written does not depend on the number of ranks.
//   write_cases PATH BACKEND [--zero] [--options TEXT] [--mode N] [--steps N] [--fault NAME]
//     --fault again: puts a step that failed once more
//     --fault changes: the same, and the second step first changes values that must stay
//     [--hold PREFIX]: step N, but for the first, waits for a file PREFIX-N
//     [--grows]: what changes from step to step has an unlimited dimension
//     [--first N]: the number of the first step, for its values
//     [--then PATH BACKEND ...]: another run behind this one, if all went well
// Prints the status and message of the call that failed, each rank on its own, as "rank R: S TEXT".
#include <bundleio/bundleio.h>
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <locale>
#include <string>
#include <vector>

#include "several_runs.hpp"

namespace {

constexpr int64_t lat = 7;
constexpr int64_t lon = 11;
constexpr int64_t levels = 5;
constexpr int64_t unstructured = 53;

struct Arguments {
  std::string path;
  std::string backend;
  std::string options;
  std::string fault;
  std::string hold;
  int mode = BIO_CREATE;
  int steps = 2;
  bool zero = false;
  bool grows = false;
  int first = 0;
};

Arguments parse(const std::vector<std::string>& words) {
  Arguments arguments;
  arguments.path = words.at(0);
  arguments.backend = words.at(1);
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string& key = words[i];
    const auto value = [&] { return i + 1 < words.size() ? words[++i] : ""; };
    if (key == "--zero") arguments.zero = true;
    if (key == "--grows") arguments.grows = true;
    if (key == "--first") arguments.first = std::stoi(value());
    if (key == "--options") arguments.options = value();
    if (key == "--mode") arguments.mode = std::stoi(value());
    if (key == "--steps") arguments.steps = std::stoi(value());
    if (key == "--fault") arguments.fault = value();
    if (key == "--hold") arguments.hold = value();
  }
  return arguments;
}

// As an application may have it: 12345 is printed as 12'345.
class Grouping : public std::numpunct<char> {
  char do_thousands_sep() const override { return '\''; }
  std::string do_grouping() const override { return "\1"; }
};

class CaseWriter {
 public:
  explicit CaseWriter(Arguments arguments) : arguments_(std::move(arguments)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int run() {
    int status = bio_init(MPI_COMM_WORLD, &context_);
    if (status == BIO_OK) status = steps();
    if (status != BIO_OK) {
      std::printf("rank %d: %d %s\n", rank_, status, bio_message(context_));
      std::fflush(stdout);
    }
    int closed = BIO_OK;
    if (run_ != nullptr) closed = bio_close(run_);
    if (closed != BIO_OK) std::printf("rank %d: %d %s\n", rank_, closed, bio_message(context_));
    bio_finish(context_);
    return status == BIO_OK && closed == BIO_OK ? 0 : 3;
  }

 private:
  // With --fault, rank 1 (or the only one) misbehaves.
  bool misbehaves(const char* fault) const {
    return arguments_.fault == fault && rank_ == std::min(1, size_ - 1);
  }

  int steps() {
    if (arguments_.fault == "locale") {
      std::locale::global(std::locale(std::locale::classic(), new Grouping));
    }
    int status = decompose();
    if (status == BIO_OK) {
      status = bio_open(context_, arguments_.path.c_str(), arguments_.mode,
                        arguments_.backend.c_str(), arguments_.options.c_str(), &run_);
    }
    if (status != BIO_OK) return status;
    // A failed definition shows at the first step's end, on all ranks.
    define();
    for (int step = arguments_.first; step < arguments_.first + arguments_.steps; ++step) {
      changes_ = arguments_.fault == "changes" && step == arguments_.first + 1;
      status = writeStep(step);
      if (status != BIO_OK && (changes_ || arguments_.fault == "again")) {
        std::printf("rank %d: %d %s\n", rank_, status, bio_message(context_));
        changes_ = false;
        status = writeStep(step);
      }
      if (status != BIO_OK) return status;
    }
    return BIO_OK;
  }

  // Rank 0 gets nothing where there are others; the rest share rows unevenly.
  int decompose() {
    const int workers = std::max(1, size_ - 1);
    const int worker = size_ > 1 ? rank_ - 1 : 0;
    const int64_t first = worker < 0 ? 0 : lat * worker * worker / (workers * workers);
    const int64_t end = worker < 0 ? 0 : lat * (worker + 1) * (worker + 1) / (workers * workers);
    rows_ = {first, end - first};
    const int64_t lengths[] = {lat, lon};
    const int64_t start[] = {rows_.first, 0};
    const int64_t count[] = {rows_.count, lon};
    int status = bio_decomp_block(context_, 2, lengths, start, count, &block_);
    // Nobody owns the last row.
    const int64_t clipped[] = {std::min(rows_.count, std::max<int64_t>(0, lat - 1 - rows_.first)),
                               lon};
    if (status == BIO_OK) {
      status = bio_decomp_block(context_, 2, lengths, start, clipped, &clipped_);
    }
    // Cells go round the ranks, backwards; every ninth has no owner.
    for (int64_t cell = unstructured - 1; cell >= 0; --cell) {
      if (cell % 9 != 4 && cell % size_ == rank_) cells_.push_back(cell);
    }
    const auto owned = static_cast<int64_t>(cells_.size());
    if (status == BIO_OK) {
      status = bio_decomp_map(context_, 1, &unstructured, owned, cells_.data(), &map_);
    }
    return status;
  }

  void define() {
    int time = 0;
    int dims[4] = {};
    bio_bundle(run_, "odd names", &odd_);
    bio_def_dim(run_, odd_, "time", BIO_UNLIMITED, &time);
    bio_def_dim(run_, odd_, "lev+1", levels, &dims[1]);
    bio_def_dim(run_, odd_, "lat", misbehaves("dimension") ? lat + 1 : lat, &dims[2]);
    bio_def_dim(run_, odd_, "lon", lon, &dims[3]);
    dims[0] = time;
    if (misbehaves("long name")) {
      bio_bundle(run_, ("x" + std::string(170, '@')).c_str(), &bad_);
    }
    if (misbehaves("letters")) bio_def_var(run_, odd_, "a\xC3(", BIO_INT8, 0, dims, 0, &bad_);
    if (misbehaves("name")) bio_def_var(run_, odd_, "a/b", BIO_INT8, 0, dims, 0, &bad_);
    for (int type = BIO_INT8; type <= BIO_FLOAT64; ++type) {
      const std::string name = "t\xC3\xA9mp (" + std::to_string(type) + ") @ 2m";
      int variable = 0;
      bio_def_var(run_, odd_, name.c_str(), type, 4, dims, block_, &variable);
      typed_.push_back(variable);
    }
    const float gap = -7.5F;
    bio_def_var(run_, odd_, "gap", BIO_FLOAT32, 2, dims + 2, clipped_, &gap_);
    bio_put_att(run_, odd_, gap_, "_FillValue", BIO_FLOAT32, 1, &gap);
    const int record[] = {dims[0], dims[2], dims[3]};
    bio_def_var(run_, odd_, "gap per time", BIO_INT32, 3, record, clipped_, &gapPerTime_);
    const double fill = misbehaves("attribute") ? -1 : -999.25;
    bio_bundle(run_, "mesh", &mesh_);
    int cells = 0;
    int two = 0;
    bio_def_dim(run_, mesh_, "two", 2, &two);
    bio_def_dim(run_, mesh_, "cells", unstructured, &cells);
    const int flat[] = {two, cells};
    int when = 0;
    if (arguments_.grows) bio_def_dim(run_, mesh_, "when", BIO_UNLIMITED, &when);
    const int grown[] = {when, two, cells};
    const int none = arguments_.grows ? 0 : 1;
    bio_def_var(run_, mesh_, "holes", BIO_FLOAT64, 3 - none, grown + none, map_, &holes_);
    bio_put_att(run_, mesh_, holes_, "_FillValue", BIO_FLOAT64, 1, &fill);
    bio_def_var(run_, mesh_, "default holes", BIO_INT16, 1, flat + 1, map_, &defaults_);
    bio_def_var(run_, mesh_, "scalar", BIO_INT64, 1 - none, grown, BIO_ON_ROOT, &scalar_);
    bio_def_var(run_, mesh_, "coordinate", BIO_FLOAT32, 1, flat + 1, BIO_ON_ROOT, &coordinate_);
    bio_put_att(run_, mesh_, BIO_GLOBAL, "title", BIO_TEXT, 5, "cases");
    const float range[] = {-1.5F, std::numeric_limits<float>::infinity()};
    bio_put_att(run_, mesh_, coordinate_, "valid_range", BIO_FLOAT32, 2, range);
    if (arguments_.zero) defineZero();
  }

  void defineZero() {
    int bundle = 0;
    int none = 0;
    int lon2 = 0;
    bio_bundle(run_, "zero", &bundle);
    bio_def_dim(run_, bundle, "none", 0, &none);
    bio_def_dim(run_, bundle, "lon", 3, &lon2);
    const int dims[] = {none, lon2};
    bio_def_var(run_, bundle, "nothing", BIO_FLOAT32, 2, dims, BIO_ON_ROOT, &nothing_);
    bio_def_var(run_, bundle, "something", BIO_FLOAT32, 1, dims + 1, BIO_ON_ROOT, &something_);
  }

  template <class T>
  std::vector<T> field(int64_t step) const {
    std::vector<T> values;
    for (int64_t level = 0; level < levels; ++level) {
      for (int64_t row = rows_.first; row < rows_.first + rows_.count; ++row) {
        for (int64_t column = 0; column < lon; ++column) {
          const auto value = static_cast<T>((step * 131 + level * 31 + row * lon + column) % 120);
          const bool isNan = std::numeric_limits<T>::has_quiet_NaN && row == 3 && column == 2;
          values.push_back(isNan ? std::numeric_limits<T>::quiet_NaN() : value);
        }
      }
    }
    return values;
  }

  template <class T>
  void putField(int type, int64_t step) {
    const std::vector<T> values = field<T>(step);
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    kept_.emplace_back(bytes, bytes + values.size() * sizeof(T));
    const int variable = typed_[static_cast<std::size_t>(type - BIO_INT8)];
    const char* data = kept_.back().data();
    if (type % 2 == 0) {
      bio_put(run_, variable, data);
      return;
    }
    // In ranges, the last first.
    const auto plane = static_cast<int64_t>(sizeof(T)) * rows_.count * lon;
    const int64_t cut = misbehaves("levels") && type == BIO_INT8 ? 2 : 3;
    bio_put_levels(run_, variable, cut, levels - cut, data + cut * plane);
    bio_put_levels(run_, variable, 0, cut, data);
  }

  // Five minutes at most; then the step is written anyway, and the test sees it too early.
  void waitToBeReleased(int step) const {
    const std::string name = arguments_.hold + "-" + std::to_string(step);
    for (int polls = 0; polls < 30000 && access(name.c_str(), F_OK) != 0; ++polls) usleep(10000);
  }

  int writeStep(int step) {
    kept_.clear();
    if (step > 0 && !arguments_.hold.empty()) waitToBeReleased(step);
    if (step > 0 && misbehaves("kill")) std::raise(SIGKILL);
    if (step > 0 && misbehaves("limit")) limitFiles();
    // Both leave; the others go on to the end of the step.
    if (step > 0 && misbehaves("unknown")) return bio_put(run_, 9999, nullptr);
    if (step > 0 && misbehaves("unfinished")) return bio_step_begin(run_);
    if (step > 0 && misbehaves("missing")) return BIO_OK;
    bio_step_begin(run_);
    putField<int8_t>(BIO_INT8, step);
    putField<uint8_t>(BIO_UINT8, step);
    putField<int16_t>(BIO_INT16, step);
    putField<uint16_t>(BIO_UINT16, step);
    putField<int32_t>(BIO_INT32, step);
    putField<uint32_t>(BIO_UINT32, step);
    putField<int64_t>(BIO_INT64, step);
    putField<uint64_t>(BIO_UINT64, step);
    putField<float>(BIO_FLOAT32, step);
    putField<double>(BIO_FLOAT64, step);
    std::vector<double> holes;
    std::vector<int16_t> defaults;
    for (int two = 0; two < 2; ++two) {
      for (const int64_t cell : cells_) {
        holes.push_back(static_cast<double>(cell) + 1000.0 * two + step);
        if (two == 0) defaults.push_back(static_cast<int16_t>(cell - 20));
      }
    }
    const std::vector<float> gaps(static_cast<std::size_t>(rows_.count * lon), 3.25F);
    const std::vector<int32_t> gapsPerTime(gaps.size(), 17 + step + (changes_ ? 1000 : 0));
    bio_put(run_, gap_, gaps.data());
    bio_put(run_, gapPerTime_, gapsPerTime.data());
    const int64_t scalar = 1234567890123 + step;
    const std::vector<float> coordinate(static_cast<std::size_t>(unstructured),
                                        changes_ ? 1.5F : 0.5F);
    const std::vector<float> something{1, 2, 3};
    if (!misbehaves("forget")) bio_put(run_, holes_, holes.data());
    bio_put(run_, defaults_, defaults.data());
    bio_put(run_, scalar_, &scalar);
    bio_put(run_, coordinate_, coordinate.data());
    if (arguments_.zero) bio_put(run_, something_, something.data());
    return bio_step_end(run_);
  }

  // The next file larger than this fails to be written: a full disk on one rank alone.
  static void limitFiles() {
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &limit);
  }

  struct Rows {
    int64_t first;
    int64_t count;
  };

  Arguments arguments_;
  int rank_ = 0;
  int size_ = 1;
  bio_context* context_ = nullptr;
  bio_run* run_ = nullptr;
  Rows rows_{0, 0};
  std::vector<int64_t> cells_;
  int block_ = 0;
  int map_ = 0;
  int odd_ = 0;
  int mesh_ = 0;
  int bad_ = 0;
  int clipped_ = 0;
  int gap_ = 0;
  int gapPerTime_ = 0;
  int holes_ = 0;
  int defaults_ = 0;
  int scalar_ = 0;
  int coordinate_ = 0;
  int nothing_ = 0;
  int something_ = 0;
  bool changes_ = false;  // what has no time, and values beside it, until that is refused
  std::vector<int> typed_;
  std::vector<std::vector<char>> kept_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  MPI_Init(&argc, &argv);
  const int code = runEach(argc, argv, [](const std::vector<std::string>& words) {
    return CaseWriter(parse(words)).run();
  });
  MPI_Finalize();
  return code;
}
