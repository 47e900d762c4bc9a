// A small model that goes wrong, or on for long, in one way, and tells what came of it:
//   hostile_cases CASE PATH BACKEND [OPTIONS [COUNT [BYTES]]]
// Each rank prints "rank R: STATUS MESSAGE" for the calls that the case is about, and
// "rank R: NAME NUMBER" for what it counted.
#include <bundleio/bundleio.h>
#include <fcntl.h>
#include <mpi.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "growth.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int64_t rows = 24;
constexpr int64_t columns = 40;
constexpr int64_t levels = 30;

class Model {
 public:
  Model(std::string path, std::string backend, std::string options)
      : path_(std::move(path)), backend_(std::move(backend)), options_(std::move(options)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    bio_init(MPI_COMM_WORLD, &context_);
  }
  ~Model() {
    if (run_ != nullptr) tell(bio_close(run_));
    bio_finish(context_);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  void tell(int status) const {
    std::printf("rank %d: %d %s\n", rank_, status, status == BIO_OK ? "" : bio_message(context_));
  }
  void tell(const char* name, long number) const {
    std::printf("rank %d: %s %ld\n", rank_, name, number);
  }

  // Rows are divided; the map gives cells to the ranks in turn, from `shift`.
  void decompose() {
    const int64_t lengths[] = {rows, columns};
    const int64_t first = rows * rank_ / size_;
    const int64_t start[] = {first, 0};
    const int64_t count[] = {rows * (rank_ + 1) / size_ - first, columns};
    values_.assign(static_cast<std::size_t>(levels * count[0] * columns), 1.5F);
    bio_decomp_block(context_, 2, lengths, start, count, &boxes_);
    for (int shift = 0; shift < 2; ++shift) maps_[shift] = makeMap(shift);
  }
  int makeMap(int shift) {
    std::vector<int64_t> cells;
    for (int64_t cell = 0; cell < rows * columns; ++cell) {
      if ((cell + shift) % 5 * size_ / 5 == rank_) cells.push_back(cell);
    }
    mapped_[shift].assign(cells.size(), static_cast<float>(shift));
    const int64_t lengths[] = {rows, columns};
    int map = 0;
    bio_decomp_map(context_, 2, lengths, static_cast<int64_t>(cells.size()), cells.data(), &map);
    return map;
  }

  int open(int mode = BIO_CREATE) {
    return bio_open(context_, path_.c_str(), mode, backend_.c_str(), options_.c_str(), &run_);
  }
  // Fields have an entry for each step, if they grow, and nothing is stored once.
  void define(int map = 0, bool grow = false) {
    for (const char* name : {"one", "other"}) {
      int bundle = 0;
      int dims[4] = {};
      bio_bundle(run_, name, &bundle);
      if (grow) bio_def_dim(run_, bundle, "time", BIO_UNLIMITED, &dims[0]);
      bio_def_dim(run_, bundle, "lev", levels, &dims[1]);
      bio_def_dim(run_, bundle, "y", rows, &dims[2]);
      bio_def_dim(run_, bundle, "x", columns, &dims[3]);
      int made = 0;
      bio_def_var(run_, bundle, "field", BIO_FLOAT32, grow ? 4 : 3, grow ? dims : dims + 1, boxes_,
                  &made);
      fields_.push_back(made);
      if (grow) continue;
      bio_def_var(run_, bundle, "flat", BIO_FLOAT32, 2, dims + 2, maps_[map], &made);
      flats_.push_back(made);
    }
  }
  void put(int map = 0) {
    bio_step_begin(run_);
    for (const int field : fields_) bio_put(run_, field, values_.data());
    for (const int flat : flats_) bio_put(run_, flat, mapped_[map].data());
  }
  int step(int map = 0) {
    put(map);
    return bio_step_end(run_);
  }
  void start(int mode = BIO_CREATE) {
    decompose();
    const int status = open(mode);
    if (status != BIO_OK) tell(status);
    if (status == BIO_OK) define();
  }

  // The cases.
  void otherMaps() {
    decompose();
    open();
    define(rank_ % 2);
    tell(step(rank_ % 2));
  }
  void getOtherMaps() {
    start();
    step();
    bio_reader* reader = nullptr;
    bio_read_open(context_, path_.c_str(), 0, nullptr, &reader);
    const int map = rank_ % 2;
    tell(bio_get(reader, "one", "flat", BIO_FLOAT32, maps_[map],
                 static_cast<int64_t>(mapped_[map].size()), mapped_[map].data()));
    bio_read_close(reader);
  }
  // Step 0 is under way in the background when rank 0 makes a mistake and all close.
  void mistakeBeforeClose() {
    start();
    step();
    if (rank_ == 0) bio_put(run_, 9999, nullptr);
  }
  // Rank 0 makes a decomposition; the others open a file, or read one.
  void otherCalls() {
    if (rank_ == 0) {
      const int64_t lengths[] = {rows};
      const int64_t nothing[] = {0};
      int made = 0;
      tell(bio_decomp_block(context_, 1, lengths, nothing, nothing, &made));
    } else if (rank_ == 1) {
      tell(open());
    } else {
      bio_reader* reader = nullptr;
      tell(bio_read_open(context_, path_.c_str(), 0, nullptr, &reader));
    }
  }
  // Somebody takes the name of the next step; when it is free again, the model goes on.
  void takenName() {
    start();
    tell(step());
    const fs::path taken = fs::path(path_) / "step-000001";
    if (rank_ == 0) fs::create_directories(taken / "something");
    tell(step());
    if (rank_ == 0) {
      tell("partial", fs::exists(fs::path(path_) / ".step-000001.partial") ? 1 : 0);
      fs::remove_all(taken);
    }
    tell(step());
  }
  // Counts the files that each failed step leaves open.
  void failedSteps(int count) {
    start();
    step();
    step();
    const rlimit before = limitFiles({1000, RLIM_INFINITY});
    bool failed = step() != BIO_OK;
    const long descriptors = Growth::openFiles();
    for (int i = 0; i < count; ++i) failed = step() != BIO_OK && failed;
    tell("failed", failed ? 1 : 0);
    tell("descriptors", Growth::openFiles() - descriptors);
    setrlimit(RLIMIT_FSIZE, &before);
    tell(step());
  }
  // Fields with a _FillValue, as CF models have them.
  void filled() {
    start();
    const float fill = -1;
    int bundle = 0;
    for (const int field : fields_) {
      bio_put_att(run_, bundle++, field, "_FillValue", BIO_FLOAT32, 1, &fill);
    }
    // The library stores it first.
    tell(step());
  }
  // Steps that share files, each with an entry of its own.
  void grownSteps(int count) {
    decompose();
    open();
    define(0, true);
    for (int i = 0; i < count; ++i) tell(step());
  }
  // A model keeps a reader of an earlier step while a later one fails. What it read before, and
  // what lies at the beginning of a file, a library may hold in memory.
  void keptReader() {
    decompose();
    open();
    define(0, true);
    for (int i = 0; i < 4; ++i) {
      for (float& value : values_) value += 1;
      step();
    }
    bio_reader* reader = nullptr;
    tell(bio_read_open(context_, path_.c_str(), 3, nullptr, &reader));
    tellField(reader, "one");
    const rlimit before = limitFiles({1000, RLIM_INFINITY});
    tell("failed", step() != BIO_OK ? 1 : 0);
    setrlimit(RLIMIT_FSIZE, &before);
    // Whoever opens files now gets the lowest numbers that are free.
    const int own = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
    tellField(reader, "other");
    ::close(own);
    tell(bio_read_close(reader));
    tell(step());
  }
  void tellField(bio_reader* reader, const char* bundle) {
    std::vector<float> found(values_.size(), -1.F);
    tell(bio_get(reader, bundle, "field", BIO_FLOAT32, boxes_, static_cast<int64_t>(found.size()),
                 found.data()));
    tell(bundle, found == values_ ? 1 : 0);
  }
  // The model's own file comes first, by the MPI's own choice.
  void ownFile() {
    MPI_File file = MPI_FILE_NULL;
    const std::string name = path_ + "-own";
    MPI_File_open(MPI_COMM_WORLD, name.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    MPI_File_close(&file);
    start();
  }
  // The last rank alone may write no file of this size in the second step.
  void limitedRank() {
    start();
    tell(step());
    if (rank_ == size_ - 1) limitFiles({1000, RLIM_INFINITY});
    tell(step());
  }
  // The last rank alone has no descriptor left in the second step.
  void fewDescriptors() {
    start();
    tell(step());
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    const int next = ::dup(STDERR_FILENO);
    ::close(next);
    const rlimit few{static_cast<rlim_t>(next), before.rlim_max};
    if (rank_ == size_ - 1) setrlimit(RLIMIT_NOFILE, &few);
    tell(step());
    setrlimit(RLIMIT_NOFILE, &before);
    tell(step());
  }
  // Steps that may fail or not.
  void steps(int count, int mode) {
    start(mode);
    for (int i = 0; i < count; ++i) tell(step());
  }
  // With `kept` bytes a step the model itself leaks.
  void manySteps(int count, int kept) {
    start();
    for (int i = 0; i < 20; ++i) step();
    Growth growth;
    std::vector<std::vector<char>> leak;
    int status = BIO_OK;
    for (int i = 0; i < count && status == BIO_OK; ++i) {
      status = step();
      leak.emplace_back(kept, 'x');
      growth.note();
    }
    tell(status);
    tell("descriptors", growth.descriptors());
    tell("heap_bytes_per_step", growth.heapBytesPerStep());
    tell("resident_bytes_per_step", growth.residentBytesPerStep());
  }
  // A model that waits for a step which never gets whole.
  void openDamaged(int count) {
    const auto attempt = [&] {
      bio_reader* reader = nullptr;
      const int status = bio_read_open(context_, path_.c_str(), 0, nullptr, &reader);
      if (reader != nullptr) bio_read_close(reader);
      return status;
    };
    int status = attempt();
    const long descriptors = Growth::openFiles();
    for (int i = 0; i < count; ++i) status = attempt();
    tell(status);
    tell("descriptors", Growth::openFiles() - descriptors);
  }
  // The model has a dimension of the name that bounds of times have.
  void ownBounds(int corners) {
    start();
    int bundle = 0;
    int time = 0;
    int both = 0;
    int bounds = 0;
    int dimension = 0;
    bio_bundle(run_, "times", &bundle);
    bio_def_dim(run_, bundle, "time", BIO_UNLIMITED, &dimension);
    bio_def_dim(run_, bundle, "bnds", corners, &both);
    tell(bio_def_time(run_, bundle, dimension, "days since 2000-01-01", "noleap", &time, &bounds));
  }
  void reservedName() {
    start();
    const double value = 1;
    tell(bio_put_att(run_, 0, fields_[0], "REFERENCE_LIST", BIO_FLOAT64, 1, &value));
    tell(step());
  }
  void justWrite(int mode) {
    decompose();
    const int status = open(mode);
    tell(status);
    if (status != BIO_OK) return;
    define();
    tell(step());
    const char* json = "";
    bio_report(run_, &json);
    if (rank_ == 0) std::printf("%s\n", json);
  }

 private:
  static rlimit limitFiles(rlimit wanted) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    wanted.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &wanted);
    return before;
  }

  std::string path_;
  std::string backend_;
  std::string options_;
  int rank_ = 0;
  int size_ = 1;
  bio_context* context_ = nullptr;
  bio_run* run_ = nullptr;
  int boxes_ = 0;
  int maps_[2] = {};
  std::vector<float> values_;
  std::vector<float> mapped_[2];
  std::vector<int> fields_;
  std::vector<int> flats_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  MPI_Init(&argc, &argv);
  {
    const std::string name = argv[1];
    Model model(argv[2], argv[3], argc > 4 ? argv[4] : "");
    const int count = argc > 5 ? std::atoi(argv[5]) : 0;
    if (name == "other-maps") model.otherMaps();
    if (name == "get-other-maps") model.getOtherMaps();
    if (name == "mistake-before-close") model.mistakeBeforeClose();
    if (name == "other-calls") model.otherCalls();
    if (name == "taken-name") model.takenName();
    if (name == "failed-steps") model.failedSteps(count);
    if (name == "filled") model.filled();
    if (name == "grown-steps") model.grownSteps(count);
    if (name == "kept-reader") model.keptReader();
    if (name == "own-file") model.ownFile();
    if (name == "limited-rank") model.limitedRank();
    if (name == "few-descriptors") model.fewDescriptors();
    if (name == "steps") model.steps(count, BIO_CREATE);
    if (name == "further-steps") model.steps(count, BIO_APPEND);
    if (name == "many-steps") model.manySteps(count, argc > 6 ? std::atoi(argv[6]) : 0);
    if (name == "open-damaged") model.openDamaged(count);
    if (name == "own-bounds") model.ownBounds(count);
    if (name == "reserved-name") model.reservedName();
    if (name == "write") model.justWrite(count);
  }
  MPI_Finalize();
  return 0;
}
