// Checksums are the same in whichever way values come, and no file that cannot be read counts as
// absent or as shorter than it is; run by one rank, which may write to the folder of its argument.
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/bp_format.hpp"
#include "backends/bp_list.hpp"
#include "backends/classic_header.hpp"
#include "exchange/box_planes.hpp"
#include "exchange/step_sums.hpp"
#include "guard/written.hpp"
#include "model/whole_file.hpp"
#include "promise.hpp"
#include "step/checked_step.hpp"
#include "step/run.hpp"

namespace {

using namespace bundleio;
namespace fs = std::filesystem;

Status statusOf(const std::function<void()>& work) { return outcomeOf(work).status(); }

constexpr std::int64_t levels = 5;
constexpr std::int64_t rows = 3;
constexpr std::int64_t columns = 4;
constexpr std::int64_t plane = rows * columns;

// A variable of some levels, and a step of it in the making.
struct Making {
  explicit Making(Decomposition decomposition) : schema(1, 0) {
    const int bundle = schema.addBundle("b");
    const std::vector<int> dimensions{schema.addDimension(bundle, "lev", levels),
                                      schema.addDimension(bundle, "y", rows),
                                      schema.addDimension(bundle, "x", columns)};
    schema.addVariable(bundle, "v", BIO_INT32, dimensions,
                       std::make_shared<const Decomposition>(std::move(decomposition)));
    sums.emplace(schema, Summed::all, Rounding());
  }
  Step step() { return {comm, schema, options, "nowhere", meter, watchdog, watchdog, &*sums}; }
  [[nodiscard]] std::int32_t fill() const {
    std::int32_t value = 0;
    std::memcpy(&value, schema.variable(0).fill().data(), sizeof value);
    return value;
  }
  // The sums are those of this array.
  [[nodiscard]] bool sumsAreOf(const std::vector<std::int32_t>& whole) {
    ValueSums all(schema);
    all.add(0, {Extent(3, 0), {levels, rows, columns}},
            reinterpret_cast<const std::byte*>(whole.data()));
    return statusOf([&] { sums->made().checkValues(schema, all); }) == BIO_OK;
  }

  Communicator comm{MPI_COMM_WORLD};
  Schema schema;
  Options options{""};
  Meter meter;
  Watchdog watchdog{comm, "none", "nowhere", std::chrono::seconds(60)};
  std::optional<StepSums> sums;
};

const std::byte* bytesOf(const std::vector<std::int32_t>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

// The last row is nobody's.
Decomposition withoutLastRow() {
  const Communicator comm(MPI_COMM_WORLD);
  return Decomposition::block(comm, {rows, columns}, {{0, 0}, {rows - 1, columns}});
}

Decomposition everything() {
  const Communicator comm(MPI_COMM_WORLD);
  return Decomposition::block(comm, {rows, columns}, {{0, 0}, {rows, columns}});
}

// Backwards, and every fifth cell is nobody's.
Decomposition mapWithGaps() {
  const Communicator comm(MPI_COMM_WORLD);
  std::vector<std::int64_t> cells;
  for (std::int64_t cell = plane - 1; cell >= 0; --cell) {
    if (cell % 5 != 3) cells.push_back(cell);
  }
  return Decomposition::map(comm, {rows, columns}, cells, Counting::fromZero);
}

void aPlaneOfSeveralWindowsIsSummedOnce() {
  Making made(everything());
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < levels * plane; ++i) values.push_back(static_cast<std::int32_t>(i));
  const std::vector<Piece> pieces{{0, 0, 2, bytesOf(values)},
                                  {0, 2, levels - 2, bytesOf(values) + 2 * plane * 4}};
  const Step step = made.step();
  made.sums->begin(made.comm, pieces);
  BoxPlanes planes(step);
  // Level 1 is written by parts in two windows, level 3 in three, and one window is in another.
  planes.sum({{&pieces[0], 0, 2}});
  planes.sum({{&pieces[0], 1, 1}, {&pieces[1], 2, 2}});
  planes.sum({{&pieces[1], 3, 1}});
  planes.sum({{&pieces[1], 3, 2}});
  promise(made.sumsAreOf(values), "levels that several windows hold are summed once");
}

void holesOfEachRangeAreSummedOnce() {
  Making made(withoutLastRow());
  std::vector<std::int32_t> own;
  std::vector<std::int32_t> whole;
  for (std::int32_t level = 0; level < levels; ++level) {
    for (std::int32_t cell = 0; cell < plane; ++cell) {
      const bool isHole = cell >= (rows - 1) * columns;
      whole.push_back(isHole ? made.fill() : 100 * level + cell);
      if (!isHole) own.push_back(whole.back());
    }
  }
  const std::int64_t ownPlane = (rows - 1) * columns;
  // An even number of them: what is summed three times looks as if it were summed once.
  const std::vector<Piece> pieces{{0, 0, 1, bytesOf(own)},
                                  {0, 1, levels - 1, bytesOf(own) + ownPlane * 4}};
  made.sums->begin(made.comm, pieces);
  for (const Piece& piece : pieces) {
    made.sums->addPlanes(0, piece.firstPlane, piece.planes, piece.values);
  }
  promise(made.sumsAreOf(whole),
          "holes of boxes are summed once, in however many ranges levels come");
}

void gapsOfMapsAreFilledInEachRange() {
  Making made(mapWithGaps());
  std::vector<std::int32_t> own;
  std::vector<std::int32_t> whole(levels * plane, made.fill());
  for (std::int32_t level = 0; level < levels; ++level) {
    for (std::int32_t cell = plane - 1; cell >= 0; --cell) {
      if (cell % 5 == 3) continue;
      own.push_back(100 * level + cell);
      whole[static_cast<std::size_t>(level * plane + cell)] = own.back();
    }
  }
  const auto ownPlane = static_cast<std::int64_t>(own.size()) / levels;
  const std::vector<Piece> pieces{{0, 0, 2, bytesOf(own)},
                                  {0, 2, levels - 2, bytesOf(own) + 2 * ownPlane * 4}};
  const Step step = made.step();
  made.sums->begin(made.comm, pieces);
  BoxPlanes planes(step);
  const std::vector<std::vector<PlaneRange>> windows{{{&pieces[0], 0, 2}, {&pieces[1], 2, 1}},
                                                     {{&pieces[1], 3, 2}}};
  for (const auto& window : windows) planes.measure(window);
  planes.reserve();
  for (const auto& window : windows) {
    planes.load(window);
    planes.sum(window);
  }
  promise(made.sumsAreOf(whole), "gaps of maps are filled and summed in each range");
}

// Source of the file that opens and gives an error at its first byte: proc(5), /proc/pid/mem.
void whatCannotBeReadIsNeitherAbsentNorEmpty(const fs::path& folder) {
  const fs::path unreadable = "/proc/self/mem";
  promise(statusOf([&] { wholeFile(unreadable); }) == BIO_IO, "an error of the disk is no end");
  promise(statusOf([&] { wholeFileIfThere(unreadable); }) == BIO_IO, "nor is it no file");
  promise(wholeFileIfThere(folder / "none") == std::nullopt &&
              statusOf([&] { wholeFile(folder / "none"); }) == BIO_NOT_FOUND,
          "no file is no file");
  promise(statusOf([&] { (void)hasGrowing(unreadable); }) == BIO_IO &&
              statusOf([&] { (void)hasGrowing(folder / "none"); }) == BIO_NOT_FOUND,
          "a file that cannot be read is not one that needs no cut");
  fs::create_directories(folder / "looped");
  fs::create_symlink(checksumsName, folder / "looped" / checksumsName);
  fs::create_symlink(bpListName, folder / "looped" / bpListName);
  promise(statusOf([&] { (void)Checksums::read(folder / "looped"); }) == BIO_IO,
          "checksums that cannot be looked at are not said to be none");
  promise(statusOf([&] { (void)BpList::read(folder / "looped"); }) == BIO_IO,
          "nor is a list of BP's files");
  promise(!Checksums::read(folder) && !BpList::read(folder),
          "where there are none, there are none");
}

// A step of one value, which has an unlimited dimension.
fs::path written(const fs::path& folder, const char* backend) {
  const Communicator comm(MPI_COMM_WORLD);
  Run run(comm, folder.string(), BIO_CREATE, backend, "");
  Schema& schema = run.definitions();
  const int bundle = schema.addBundle("b");
  const int time = schema.addDimension(bundle, "time", BIO_UNLIMITED);
  schema.addVariable(bundle, "v", BIO_INT8, {time}, nullptr);
  const std::int8_t value = 7;
  run.stepBegin();
  run.put(0, reinterpret_cast<const std::byte*>(&value));
  run.stepEnd();
  run.close();
  return folder / "step-000000";
}

void aHeaderMustCountWhatWasWritten(const fs::path& folder) {
  const fs::path file = written(folder, "gather") / "b.nc";
  promise(statusOf([&] { checkHeader(file, 1); }) == BIO_OK, "a header counts what was written");
  promise(statusOf([&] { checkHeader(file, 2); }) == BIO_IO, "one that counts less is found");
  fs::resize_file(file, 9);
  promise(statusOf([&] { checkHeader(file, 0); }) == BIO_IO, "so is one that is cut off");
  fs::resize_file(file, 0);
  promise(statusOf([&] { checkHeader(file, 0); }) == BIO_IO, "or is not there");
}

// On any file system: a range behind the end is found without a look at holes.
void everyRangeIsLookedAt(const fs::path& file) {
  std::ofstream(file) << "0123456789";
  promise(statusOf([&] {
            checkRanges(file, {{0, 10}, {20, 0}});
          }) == BIO_OK,
          "a file has the ranges that were written, and may end before an empty one");
  promise(statusOf([&] {
            checkRanges(file, {{0, 10}, {2, 4}, {5, 6}});
          }) == BIO_IO,
          "the last range is looked at as the first is");
  promise(statusOf([&] {
            checkRanges(file, {{0, 0}, {5, 6}});
          }) == BIO_IO,
          "and so is one behind an empty range");
}

void aStepIsOnlyVerifiedByChecksums(const fs::path& folder) {
  const Communicator comm(MPI_COMM_WORLD);
  const fs::path step = written(folder, "posix");
  promise(statusOf([&] { verifyStep(comm, step, nullptr); }) == BIO_OK, "a step is verified");
  fs::remove(step / checksumsName);
  promise(statusOf([&] { verifyStep(comm, step, nullptr); }) == BIO_FORMAT,
          "one whose checksums are gone is not");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  fs::remove_all(argv[1]);
  fs::create_directories(argv[1]);
  aPlaneOfSeveralWindowsIsSummedOnce();
  holesOfEachRangeAreSummedOnce();
  gapsOfMapsAreFilledInEachRange();
  whatCannotBeReadIsNeitherAbsentNorEmpty(argv[1]);
  aHeaderMustCountWhatWasWritten(fs::path(argv[1]) / "classic");
  everyRangeIsLookedAt(fs::path(argv[1]) / "ranges");
  aStepIsOnlyVerifiedByChecksums(fs::path(argv[1]) / "run");
  fs::remove_all(argv[1]);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
