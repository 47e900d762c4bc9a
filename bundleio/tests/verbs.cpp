// Every verb of the C++ face once, and the text of errors; what it writes is what verbs.c writes.
//   verbs_cpp FOLDER BACKEND
#include <bundleio/bundleio.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t levels = 4;
constexpr std::int64_t lat = 5;
constexpr std::int64_t lon = 6;
constexpr const char* units = "hours since 1999-12-31 18:00:00 -06:00";

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "verbs_cpp: %s\n", what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

template <class Work>
void refused(Work&& work, int status, const std::string& text) {
  try {
    work();
  } catch (const bio::Error& error) {
    const bool isIt =
        error.status() == status && std::string(error.what()).find(text) != std::string::npos;
    return require(isIt, error.what());
  }
  require(false, "no error: " + text);
}

// One variable of each rank and of most types, on rank 0; values count up as memory lies.
class Types {
 public:
  explicit Types(bio::Run& run) : bundle_(run.bundle("types")) {
    const bio::Extent lengths{2, 1, 3, 1, 2};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      dims_.push_back(run.dimension(bundle_, "d" + std::to_string(i), lengths[i]));
    }
    define(run, zero_, 0);
    define(run, one_, 1);
    define(run, two_, 2);
    define(run, three_, 3);
    define(run, four_, 4);
    define(run, five_, 5);
  }
  void put(bio::Run& run) const {
    run.put(zero_.variable, zero_.values.data());
    run.put(one_.variable, one_.values);
    run.put(two_.variable, two_.values);
    run.put(three_.variable, three_.values);
    run.put(four_.variable, four_.values);
    run.put(five_.variable, five_.values);
  }

 private:
  template <class T>
  struct Values {
    int variable = 0;
    std::vector<T> values;
  };
  template <class T>
  void define(bio::Run& run, Values<T>& made, std::size_t rank) {
    static constexpr std::size_t cells[] = {1, 2, 2, 6, 6, 12};
    made.variable = run.variable<T>(bundle_, "rank " + std::to_string(rank),
                                    {dims_.begin(), dims_.begin() + static_cast<long>(rank)});
    for (std::size_t i = 0; i < cells[rank]; ++i) made.values.push_back(static_cast<T>(i));
    if (rank == 0) made.values = {7};
    const auto last = static_cast<T>(std::is_floating_point_v<T> ? 2.5 : 2);
    run.attribute(bundle_, made.variable, "two", std::vector<T>{1, last});
    run.attribute(bundle_, made.variable, "one", T{1});
  }

  int bundle_;
  std::vector<int> dims_;
  Values<double> zero_;
  Values<std::int8_t> one_;
  Values<std::int16_t> two_;
  Values<std::int32_t> three_;
  Values<std::int64_t> four_;
  Values<float> five_;
};

struct Part {
  std::int64_t first;
  std::int64_t rows;
  bio::Extent cells;
};

void writeStep(const bio::Context& context, const std::string& folder, bio_mode mode,
               const std::string& backend, const Part& part, int byRows, int map, int counted,
               int step) {
  bio::Run run(context, folder, mode, backend);
  const int bundle = run.bundle("verbs");
  const int lev = run.dimension(bundle, "lev", levels);
  const int y = run.dimension(bundle, "lat", lat);
  const int x = run.dimension(bundle, "lon", lon);
  const int field = run.variable<float>(bundle, "by rows", {lev, y, x}, byRows);
  const int mapped = run.variable<std::int64_t>(bundle, "mapped", {y, x}, map);
  const int fromOne = run.variable<std::int64_t>(bundle, "counted", {y, x}, counted);
  run.attribute(bundle, BIO_GLOBAL, "Conventions", "CF-1.8");
  run.attribute(bundle, field, "range", std::vector<float>{1, 2.5F});
  std::vector<float> values;
  for (std::int64_t level = 0; level < levels; ++level) {
    for (std::int64_t row = part.first; row < part.first + part.rows; ++row) {
      for (std::int64_t column = 0; column < lon; ++column) {
        values.push_back(static_cast<float>(1000 * step + 100 * level + 10 * row + column));
      }
    }
  }
  bio::Extent cells = part.cells;
  for (std::int64_t& cell : cells) cell += step;
  bio::Extent withNowhere = cells;
  withNowhere.push_back(0);
  const Types types(run);
  const int times = run.bundle("times");
  const auto [time, bounds] =
      run.timeWithBounds(times, run.dimension(times, "time", BIO_UNLIMITED), units, "noleap");
  // This bundle is due in the first of the two steps only.
  const int rare = run.bundle("rare");
  const std::vector<int> now{run.variable<double>(rare, "once", {}),
                             run.variable<double>(rare, "second", {})};
  run.every(now[0], BIO_ONCE);
  run.every(now[1], 2);
  const double five = 5;
  const double noon = context.timeValue(units, "noleap", {2000 + step, 3, 1, 12, 0, 0});
  const std::vector<double> both{noon - 12, noon + 12};
  const bio_date back = context.date(units, "noleap", noon);
  require(back.year == 2000 + step && back.month == 3 && back.hour == 12, "the date of a value");
  refused([&] { (void)context.date(units, "lunar", noon); }, BIO_BAD_ARGUMENT, "calendar 'lunar'");
  const std::vector<float> top(values.begin() + 3 * part.rows * lon, values.end());
  refused([&] { run.put(field, values); }, BIO_STATE, "put outside a step");
  refused([&] { run.stepEnd(); }, BIO_STATE, "rank 0: put outside a step");
  run.stepBegin();
  run.putLevels(field, 3, levels - 3, top.data());
  values.resize(static_cast<std::size_t>(3 * part.rows * lon));
  run.putLevels(field, 0, 3, values);
  run.put(mapped, cells);
  run.put(fromOne, withNowhere);
  types.put(run);
  run.put(time, &noon);
  run.put(bounds, both);
  for (const int variable : now) {
    require(run.isDue(variable) == (step == 0), "what is due");
    if (step == 0) run.put(variable, &five);
  }
  run.stepEnd();
  run.wait();
  require(run.test(), "a step is not visible after wait");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  require((rank == 0) == (run.report().find("\"steps\": 1") != std::string::npos), "report");
  run.close();
  refused([&] { run.stepBegin(); }, BIO_BAD_ARGUMENT, "no run: it was never opened");
}

// Mistakes of the last rank reach all, with their status and text.
void failSteps(bio::Run run) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int number = run.variable<double>(run.bundle("errors"), "number", {});
  const double value = 1;
  for (int status = BIO_BAD_ARGUMENT; status <= BIO_DRAIN; ++status) {
    const std::string text = "status " + std::to_string(status) + " is told";
    run.stepBegin();
    run.put(number, &value);
    if (rank == size - 1) {
      refused([&] { run.fail(static_cast<bio_status>(status), text); }, status, text);
    }
    refused([&] { run.stepEnd(); }, status, "rank " + std::to_string(size - 1) + ": " + text);
  }
  const std::int8_t small = 1;
  refused([&] { run.put(number, &small); }, BIO_BAD_ARGUMENT,
          "variable 'number': values of type int8, but it is of type float64");
  const std::vector<double> two(2);
  if (rank == 0) {
    refused([&] { run.put(number, two); }, BIO_BAD_ARGUMENT,
            "variable 'number': 2 values, but this rank holds 1");
  }
  refused([&] { run.close(); }, BIO_BAD_ARGUMENT, "values of type int8");
}

// A rank that throws leaves its scope; the others get its error instead of waiting for it.
void leaveOnOneRank(const bio::Context& context, const std::string& folder) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  refused(
      [&] {
        bio::Run run(context, folder, BIO_APPEND, "posix");
        run.stepBegin();
        if (rank == 0) run.put(9999, &rank);
        run.stepEnd();
      },
      BIO_BAD_ARGUMENT, "variable 9999 is not defined");
}

void writeRun(const std::string& folder, const std::string& backend) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Part part{lat * rank / size, lat * (rank + 1) / size - lat * rank / size, {}};
  for (std::int64_t cell = lat * lon - 1 - rank; cell >= 0; cell -= size)
    part.cells.push_back(cell);
  bio::Context context(MPI_COMM_WORLD);
  const int byRows = context.block({lat, lon}, {part.first, 0}, {part.rows, lon});
  refused(
      [&] {
        (void)context.block({lat, lon}, {0}, {0, 0});
      },
      BIO_BAD_ARGUMENT, "rank 0: lengths, start and count of a decomposition must be equally many");
  const int map = context.map({lat, lon}, part.cells);
  bio::Extent fromOne = part.cells;
  for (std::int64_t& cell : fromOne) ++cell;
  fromOne.push_back(0);
  const int counted = context.mapOneBased({lat, lon}, fromOne);
  refused(
      [&] {
        (void)context.mapOneBased({lat, lon}, {-3});
      },
      BIO_BAD_ARGUMENT, "rank 0: cell -3, entry 0 of the map");
  refused(
      [&] {
        (void)context.mapOneBased({lat, lon}, part.cells);
      },
      BIO_BAD_ARGUMENT, "it seems to count from 0");
  refused([&] { bio::Run(context, folder, BIO_CREATE, "nosuch"); }, BIO_BAD_ARGUMENT,
          "rank 0: unknown back end 'nosuch'");
  writeStep(context, folder, BIO_CREATE, backend, part, byRows, map, counted, 0);
  writeStep(context, folder, BIO_APPEND, backend, part, byRows, map, counted, 1);
  refused([&] { bio::Run(context, folder, BIO_CREATE, backend); }, BIO_EXISTS, "rank 0: ");
  failSteps(bio::Run(context, folder, BIO_APPEND, backend));
  bio::Context left(MPI_COMM_WORLD);
  leaveOnOneRank(left, folder);
  left.finish();
  context.finish();
  refused([&] { context.finish(); }, BIO_BAD_ARGUMENT, "no context");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  MPI_Init(&argc, &argv);
  writeRun(argv[1], argv[2]);
  MPI_Finalize();
  return 0;
}
