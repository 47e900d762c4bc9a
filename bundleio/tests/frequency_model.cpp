// A model with fields that are due now and then, or once; and what reads all of that back.
//   frequency_model write FOLDER BACKEND STEPS [MODE [OPTIONS [FAULT]]]
//   frequency_model read FOLDER STEPS [none|sparse|plain]
// plain: joined in one file. FAULT: none, sparse (nothing is due in odd steps), plain (all but the
// static field in every step), or a mistake. Several of them, with "--then" between two, are one
// job.
#include <algorithm>
#include <bundleio/bundleio.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "several_runs.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t lat = 12;
constexpr std::int64_t lon = 5;

int rank = 0;
int ranks = 1;

enum class Owner { root, rows, map };

struct Field {
  std::string bundle;
  std::string name;
  int type;
  std::vector<std::string> dimensions;
  Owner owner;
  std::int64_t every;
};

const std::vector<Field> fields{
    {"atm", "time", BIO_FLOAT64, {"time"}, Owner::root, 1},
    {"atm", "T", BIO_FLOAT32, {"time", "lev", "lat", "lon"}, Owner::rows, 1},
    {"atm", "precip", BIO_FLOAT64, {"time", "lat", "lon"}, Owner::map, 3},
    {"atm", "orography", BIO_FLOAT32, {"lat", "lon"}, Owner::rows, BIO_ONCE},
    {"ocean", "sst", BIO_INT32, {"time", "lat", "lon"}, Owner::map, 2},
    {"mask", "land", BIO_INT8, {"lat", "lon"}, Owner::root, BIO_ONCE},
};
const std::map<std::string, std::int64_t> lengths{
    {"time", BIO_UNLIMITED}, {"lev", 3}, {"lat", lat}, {"lon", lon}};

// A call failed on all ranks, and each has said so.
struct Ended {};

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "frequency_model: rank %d: %s\n", rank, what.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void tell(const char* call, const bio::Error& error) {
  std::printf("rank %d: %s%d %s\n", rank, call, error.status(), error.what());
  std::fflush(stdout);
}

std::vector<Field> fieldsOf(const std::string& kind) {
  std::vector<Field> found = fields;
  for (Field& field : found) {
    if (kind == "sparse" && field.every == 1) field.every = 2;
    if (kind == "plain" && field.every > 1) field.every = 1;
  }
  return found;
}

bool isDue(std::int64_t every, int step) {
  return every == BIO_ONCE ? step == 0 : step % every == 0;
}

bio::Extent shapeOf(const Field& field) {
  bio::Extent shape;
  for (const std::string& dimension : field.dimensions) {
    shape.push_back(std::max<std::int64_t>(1, lengths.at(dimension)));
  }
  return shape;
}

// All values of a field in a step, as a file shows them.
template <class T>
std::vector<T> whole(const Field& field, int step) {
  std::size_t size = 1;
  for (const std::int64_t length : shapeOf(field)) size *= static_cast<std::size_t>(length);
  const auto isIt = [&](const Field& other) { return other.name == field.name; };
  const auto number = std::find_if(fields.begin(), fields.end(), isIt) - fields.begin();
  const auto seed = 7 * static_cast<std::size_t>(number) + static_cast<std::size_t>(step);
  std::vector<T> values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(static_cast<T>((3 * i + seed) % 101));
  return values;
}

// Calls `work` with a value of the field's type.
template <class Work>
void byType(const Field& field, Work&& work) {
  if (field.type == BIO_FLOAT64) work(double{});
  if (field.type == BIO_FLOAT32) work(float{});
  if (field.type == BIO_INT32) work(std::int32_t{});
  if (field.type == BIO_INT8) work(std::int8_t{});
}

// Rows for boxes; every cell of as many as there are ranks, backwards, for maps. To read, shares of
// other ranks.
class Owners {
 public:
  Owners(const bio::Context& context, int shift) {
    const int part = (rank + shift) % ranks;
    for (std::int64_t row = lat * part / ranks; row < lat * (part + 1) / ranks; ++row) {
      for (std::int64_t column = 0; column < lon; ++column) rows_.push_back(row * lon + column);
    }
    for (std::int64_t cell = lat * lon - 1 - part; cell >= 0; cell -= ranks) map_.push_back(cell);
    const std::int64_t first = lat * part / ranks;
    byRows_ = context.block({lat, lon}, {first, 0}, {lat * (part + 1) / ranks - first, lon});
    byMap_ = context.map({lat, lon}, map_);
  }
  [[nodiscard]] int number(Owner owner) const {
    if (owner == Owner::root) return BIO_ON_ROOT;
    return owner == Owner::rows ? byRows_ : byMap_;
  }
  template <class T>
  [[nodiscard]] std::vector<T> own(const std::vector<T>& values, Owner owner) const {
    if (owner == Owner::root) return rank == 0 ? values : std::vector<T>();
    std::vector<T> found;
    for (std::size_t level = 0; level < values.size(); level += lat * lon) {
      for (const std::int64_t cell : owner == Owner::rows ? rows_ : map_) {
        found.push_back(values[level + static_cast<std::size_t>(cell)]);
      }
    }
    return found;
  }

 private:
  bio::Extent rows_;
  bio::Extent map_;
  int byRows_ = 0;
  int byMap_ = 0;
};

class Writer {
 public:
  Writer(const bio::Context& context, bio::Run& run, std::string kind)
      : owners_(context, 0), run_(run), kind_(std::move(kind)) {}

  void write(int first, int steps) {
    define();
    if (kind_ == "late") {
      put(0);
      run_.stepEnd();
      run_.every(numbers_.at("T"), 2);
    }
    for (int step = first; step < steps;) {
      if (kind_ == "killed" && step == 4 && isLast()) std::raise(SIGKILL);
      if (isWritten(step)) ++step;
    }
  }

 private:
  static bool isLast() { return rank == ranks - 1; }

  void define() {
    std::map<std::string, int> bundles;
    std::map<std::string, int> dimensions;
    for (const Field& field : fieldsOf(kind_)) {
      if (bundles.count(field.bundle) == 0) {
        bundles[field.bundle] = run_.bundle(field.bundle);
        run_.attribute(bundles[field.bundle], BIO_GLOBAL, "title", field.bundle);
      }
      const int bundle = bundles[field.bundle];
      std::vector<int> used;
      for (const std::string& name : field.dimensions) {
        const std::string key = field.bundle + "/" + name;
        if (dimensions.count(key) == 0) {
          dimensions[key] = run_.dimension(bundle, name, lengths.at(name));
        }
        used.push_back(dimensions[key]);
      }
      defineField(field, bundle, used);
    }
  }
  void defineField(const Field& field, int bundle, const std::vector<int>& dimensions) {
    const int owner = owners_.number(field.owner);
    int number = 0;
    byType(field, [&]([[maybe_unused]] auto value) {
      number = run_.variable<decltype(value)>(bundle, field.name, dimensions, owner);
    });
    numbers_[field.name] = number;
    run_.attribute(bundle, number, "units", "1");
    std::int64_t every = field.every;
    if (kind_ == "differs" && field.name == "sst") every += rank;
    if (every != 1) run_.every(number, kind_ == "negative" ? -every : every);
  }

  void put(int step) {
    kept_.clear();
    run_.stepBegin();
    for (const Field& field : fieldsOf(kind_)) {
      const bool isIn = run_.isDue(numbers_.at(field.name));
      require(isIn == isDue(field.every, step), "what is due: " + field.name);
      const bool isWrong = step == 1 && isLast() &&
                           ((kind_ == "early" && field.name == "precip") ||
                            (kind_ == "static" && field.name == "orography"));
      const bool isForgotten =
          kind_ == "forgets" && step == 3 && field.name == "precip" && isLast();
      if ((isIn || isWrong) && !isForgotten) putField(field, step);
    }
  }
  void putField(const Field& field, int step) {
    byType(field, [&]([[maybe_unused]] auto value) {
      using T = decltype(value);
      const auto own =
          std::make_shared<std::vector<T>>(owners_.own(whole<T>(field, step), field.owner));
      kept_.push_back(own);
      run_.put(numbers_.at(field.name), *own);
    });
  }

  // False where a mistake was told, which is not made again.
  bool isWritten(int step) {
    try {
      put(step);
    } catch (const bio::Error& error) {
      tell("put: ", error);
    }
    try {
      run_.stepEnd();
      return true;
    } catch (const bio::Error& error) {
      tell("step_end: ", error);
      if (kind_ == "none") throw Ended();
      kind_ = "none";
      return false;
    }
  }

  Owners owners_;
  bio::Run& run_;
  std::string kind_;
  std::map<std::string, int> numbers_;
  // Until the step ends.
  std::vector<std::shared_ptr<void>> kept_;
};

// Where a model goes on that was told nothing but the folder.
int firstStep(const std::string& folder, int mode) {
  MPI_Barrier(MPI_COMM_WORLD);
  int first = 0;
  if (mode != BIO_APPEND) return first;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("step-", 0) == 0) first = std::max(first, std::stoi(name.substr(5)) + 1);
  }
  return first;
}

// The static fields of steps that were joined are those of the first.
std::map<std::string, std::vector<Field>> expected(const std::string& kind, int step) {
  std::map<std::string, std::vector<Field>> found;
  for (const Field& field : fieldsOf(kind)) {
    if (isDue(field.every, step) || (kind == "plain" && field.every == BIO_ONCE)) {
      found[field.bundle].push_back(field);
    }
  }
  // A bundle stands without variables where nothing is due.
  if (found.empty()) {
    for (const Field& field : fields) found[field.bundle] = {};
  }
  return found;
}

class Check {
 public:
  Check(const bio::Context& context, const Owners& owners, const std::string& folder, int step,
        std::string kind)
      : owners_(owners),
        reader_(context, folder, step),
        held_(expected(kind, step)),
        step_(step),
        kind_(std::move(kind)) {}

  void run() {
    std::set<std::string> bundles;
    for (const auto& [bundle, there] : held_) {
      bundles.insert(bundle);
      std::set<std::string> names;
      for (const Field& field : there) names.insert(field.name);
      require(setOf(reader_.variables(bundle)) == names, "the variables of " + bundle);
      require(reader_.attributes(bundle) == std::vector<std::string>{"title"} &&
                  reader_.text(bundle, "", "title") == bundle,
              "the attributes of " + bundle);
      for (const Field& field : there) compare(field);
    }
    require(setOf(reader_.bundles()) == bundles, "the bundles of step " + std::to_string(step_));
    if (held_.count("ocean") == 0) missing();
    reader_.close();
  }

 private:
  static std::set<std::string> setOf(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
  }
  void compare(const Field& field) {
    const int of = kind_ == "plain" && field.every == BIO_ONCE ? 0 : step_;
    const bio::Extent shape = shapeOf(field);
    require(reader_.shape(field.bundle, field.name).lengths == shape, "the shape of " + field.name);
    byType(field, [&]([[maybe_unused]] auto value) {
      using T = decltype(value);
      const std::vector<T> values = whole<T>(field, of);
      const bio::Extent start(shape.size(), 0);
      require(reader_.slab<T>(field.bundle, field.name, start, shape) == values,
              "all of " + field.name + " in step " + std::to_string(step_));
      const std::vector<T> own = owners_.own(values, field.owner);
      std::vector<T> into(own.size());
      reader_.get(field.bundle, field.name, owners_.number(field.owner), into);
      require(into == own, "this rank's part of " + field.name);
    });
  }
  void missing() {
    std::vector<std::int32_t> into(owners_.own(whole<std::int32_t>(fields[4], 0), Owner::map));
    try {
      reader_.get("ocean", "sst", owners_.number(Owner::map), into);
    } catch (const bio::Error& error) {
      return require(error.status() == BIO_NOT_FOUND, error.what());
    }
    require(false, "a field that is not there was read");
  }

  const Owners& owners_;
  bio::Reader reader_;
  std::map<std::string, std::vector<Field>> held_;
  int step_;
  std::string kind_;
};

int run(const std::vector<std::string>& words) {
  const auto word = [&](std::size_t index, const char* otherwise) {
    return index < words.size() ? words[index] : otherwise;
  };
  const std::string folder = word(1, "");
  const bio::Context context(MPI_COMM_WORLD);
  if (word(0, "") == "read") {
    const Owners owners(context, 1);
    for (int step = 0; step < std::stoi(word(2, "0")); ++step) {
      Check(context, owners, folder, step, word(3, "none")).run();
    }
    return 0;
  }
  const int mode = std::stoi(word(4, "1"));
  bio::Run output(context, folder, static_cast<bio_mode>(mode), word(2, ""), word(5, ""));
  Writer writer(context, output, word(6, "none"));
  writer.write(firstStep(folder, mode), std::stoi(word(3, "0")));
  output.close();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int code = 3;
  try {
    code = runEach(argc, argv, run);
  } catch (const Ended&) {
  } catch (const bio::Error& error) {
    tell("", error);
  }
  MPI_Finalize();
  return code;
}
