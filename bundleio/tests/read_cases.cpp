// Reads back, through the C interface, what write_cases wrote, and compares every cell with what it
// must be: by boxes across each dimension, which leave nothing out or some cells, by maps with
// cells that nobody asks for, and on rank 0, over every number of last dimensions.
//   read_cases PATH,PATH STEP|last [--options TEXT] [--faults NAME,NAME]
//     [--slab yes]: before what waits or is asked for, and behind it, a slab of the first variable
//     [--hold PREFIX]: makes a file PREFIX-open when a step is open, and waits for a file PREFIX-go
// Prints the status and message of what failed, each rank on its own, as "rank R: S TEXT". With
// --faults calls ask for something wrong; after each a scalar is read: the run goes on.
#include <bundleio/bundleio.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Extent = std::vector<int64_t>;
using Bytes = std::vector<char>;

constexpr int64_t lat = 7;
constexpr int64_t lon = 11;
constexpr int64_t levels = 5;
constexpr int64_t unstructured = 53;

int64_t product(const Extent& lengths) {
  int64_t cells = 1;
  for (const int64_t length : lengths) cells *= length;
  return cells;
}

template <class T>
Bytes bytesOf(T value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// A variable and what its cell at a row-major offset must be.
struct Case {
  std::string bundle;
  std::string name;
  int type;
  Extent lengths;
  std::function<Bytes(int64_t)> expected;
};

template <class T>
Case field(int type, int64_t step) {
  return {"odd names",
          "t\xC3\xA9mp (" + std::to_string(type) + ") @ 2m",
          type,
          {1, levels, lat, lon},
          [step](int64_t at) {
            const int64_t column = at % lon;
            const int64_t row = at / lon % lat;
            if (std::numeric_limits<T>::has_quiet_NaN && row == 3 && column == 2) {
              return bytesOf(std::numeric_limits<T>::quiet_NaN());
            }
            const int64_t level = at / (lon * lat);
            return bytesOf(static_cast<T>((step * 131 + level * 31 + row * lon + column) % 120));
          }};
}

std::vector<Case> casesOf(int64_t step) {
  const auto isLastRow = [](int64_t at) { return at / lon == lat - 1; };
  const auto isHole = [](int64_t cell) { return cell % 9 == 4; };
  return {
      field<int8_t>(BIO_INT8, step),
      field<uint8_t>(BIO_UINT8, step),
      field<int16_t>(BIO_INT16, step),
      field<uint16_t>(BIO_UINT16, step),
      field<int32_t>(BIO_INT32, step),
      field<uint32_t>(BIO_UINT32, step),
      field<int64_t>(BIO_INT64, step),
      field<uint64_t>(BIO_UINT64, step),
      field<float>(BIO_FLOAT32, step),
      field<double>(BIO_FLOAT64, step),
      {"odd names",
       "gap",
       BIO_FLOAT32,
       {lat, lon},
       [=](int64_t at) { return bytesOf(isLastRow(at) ? -7.5F : 3.25F); }},
      {"odd names",
       "gap per time",
       BIO_INT32,
       {1, lat, lon},
       [=](int64_t at) {
         return bytesOf(isLastRow(at) ? int32_t{-2147483647} : static_cast<int32_t>(17 + step));
       }},
      {"mesh",
       "holes",
       BIO_FLOAT64,
       {2, unstructured},
       [=](int64_t at) {
         const int64_t cell = at % unstructured;
         const auto two = static_cast<double>(at / unstructured);
         return bytesOf(isHole(cell) ? -999.25 : static_cast<double>(cell + step) + 1000.0 * two);
       }},
      {"mesh",
       "default holes",
       BIO_INT16,
       {unstructured},
       [=](int64_t at) {
         return bytesOf(isHole(at) ? int16_t{-32767} : static_cast<int16_t>(at - 20));
       }},
      {"mesh",
       "scalar",
       BIO_INT64,
       {},
       [=](int64_t) { return bytesOf(int64_t{1234567890123} + step); }},
      {"mesh", "coordinate", BIO_FLOAT32, {unstructured}, [](int64_t) { return bytesOf(0.5F); }},
  };
}

std::vector<Case> zeroCases() {
  return {{"zero", "nothing", BIO_FLOAT32, {0, 3}, [](int64_t) { return Bytes(); }},
          {"zero", "something", BIO_FLOAT32, {3}, [](int64_t at) {
             return bytesOf(static_cast<float>(at + 1));
           }}};
}

class CaseReader {
 public:
  CaseReader() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    bio_init(MPI_COMM_WORLD, &context_);
  }

  ~CaseReader() { bio_finish(context_); }
  CaseReader(const CaseReader&) = delete;
  CaseReader& operator=(const CaseReader&) = delete;

  int run(const char* path, int64_t step, const char* options, const std::string& faults,
          const std::string& hold, bool readsSlab) {
    if (bio_read_open(context_, path, step, options, &reader_) != BIO_OK) return failed(3);
    if (readsSlab) slab();
    if (!hold.empty()) waitToBeReleased(hold);
    int64_t number = -1;
    bio_read_step(reader_, &number);
    int code = faults.empty() ? compareAll(number) : 0;
    std::istringstream list(faults);
    for (std::string fault; std::getline(list, fault, ',');)
      code = std::max(code, ask(fault, number));
    if (readsSlab) slab();
    if (bio_read_close(reader_) != BIO_OK) code = failed(3);
    if (code == 0 && rank_ == 0 && faults.empty())
      std::printf("step %d: as it was put\n", static_cast<int>(number));
    return code;
  }

 private:
  // A decomposition of this rank's making, and its cells there in the order of its values.
  struct Part {
    int decomposition;
    Extent cells;
  };

  // Five minutes at most. Each rank looks by itself: in a call of MPI it would wait at the cost of
  // a core.
  void waitToBeReleased(const std::string& hold) const {
    if (rank_ == 0) {
      if (std::FILE* file = std::fopen((hold + "-open").c_str(), "w")) std::fclose(file);
    }
    const std::string go = hold + "-go";
    for (int polls = 0; polls < 30000 && access(go.c_str(), F_OK) != 0; ++polls) usleep(10000);
  }

  void slab() const {
    const Case one = casesOf(0).front();
    const Extent cell(one.lengths.size(), 1);
    char value = 0;
    const int status =
        bio_get_slab(reader_, one.bundle.c_str(), one.name.c_str(), one.type,
                     static_cast<int>(cell.size()), nullptr, cell.data(), nullptr, 1, &value);
    std::printf("rank %d: slab: %d %s\n", rank_, status,
                status == BIO_OK ? "" : bio_message(context_));
    std::fflush(stdout);
  }

  int failed(int code) const {
    std::printf("rank %d: %s\n", rank_, bio_message(context_));
    std::fflush(stdout);
    return code;
  }

  int compareAll(int64_t step) {
    std::vector<Case> cases = casesOf(step);
    int type = 0;
    int dimensions = 2;
    int64_t lengths[2] = {};
    if (bio_read_shape(reader_, "zero", "nothing", &type, &dimensions, lengths) == BIO_OK) {
      for (const Case& one : zeroCases()) cases.push_back(one);
    }
    int code = 0;
    for (const Case& one : cases) code = std::max(code, compare(one));
    return code;
  }

  int compare(const Case& one) {
    Extent found(4);
    int dimensions = 4;
    int type = 0;
    if (bio_read_shape(reader_, one.bundle.c_str(), one.name.c_str(), &type, &dimensions,
                       found.data()) != BIO_OK) {
      return failed(3);
    }
    found.resize(static_cast<std::size_t>(dimensions));
    if (type != one.type || found != one.lengths) return differs(one, "type or shape", 0);
    Part root{BIO_ON_ROOT, {}};
    if (rank_ == 0) root.cells = all(one.lengths);
    int code = compare(one, root, "on rank 0");
    for (std::size_t used = 1; used <= one.lengths.size(); ++used) {
      const Extent last(one.lengths.end() - static_cast<std::ptrdiff_t>(used), one.lengths.end());
      for (std::size_t dim = 0; dim < used; ++dim) {
        code = std::max(code, compare(one, boxes(last, dim, 0), "by boxes"));
        code =
            std::max(code, compare(one, boxes(last, dim, 1), "by boxes with cells between them"));
      }
      code = std::max(code, compare(one, map(last), "by a map"));
    }
    return code;
  }

  int compare(const Case& one, const Part& part, const char* how) {
    int64_t planeCells = product(one.lengths);
    if (part.decomposition != BIO_ON_ROOT) planeCells = lengths_.at(part.decomposition);
    const int64_t planes = planeCells == 0 ? 0 : product(one.lengths) / planeCells;
    const std::size_t width = one.expected(0).size();
    Bytes values(static_cast<std::size_t>(planes) * part.cells.size() * width, '?');
    const auto count = static_cast<int64_t>(planes * static_cast<int64_t>(part.cells.size()));
    if (bio_get(reader_, one.bundle.c_str(), one.name.c_str(), one.type, part.decomposition, count,
                values.data()) != BIO_OK) {
      return failed(3);
    }
    auto at = values.begin();
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (const int64_t cell : part.cells) {
        const Bytes wanted = one.expected(plane * planeCells + cell);
        if (!std::equal(wanted.begin(), wanted.end(), at)) {
          return differs(one, how, plane * planeCells + cell);
        }
        at += static_cast<std::ptrdiff_t>(width);
      }
    }
    return 0;
  }

  int differs(const Case& one, const char* how, int64_t cell) const {
    std::printf("rank %d: %s/%s %s: cell %d differs\n", rank_, one.bundle.c_str(), one.name.c_str(),
                how, static_cast<int>(cell));
    return 1;
  }

  static Extent all(const Extent& lengths) {
    Extent cells(static_cast<std::size_t>(product(lengths)));
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<int64_t>(i);
    return cells;
  }

  // The last rank gets nothing where there are others; the rest share dimension `dim` unevenly, but
  // for `gap` entries in front of each box, which are nobody's.
  const Part& boxes(const Extent& lengths, std::size_t dim, int64_t gap) {
    const auto place = static_cast<int>(dim + static_cast<std::size_t>(gap) * lengths.size());
    const auto [known, isNew] = parts_.try_emplace({lengths, place});
    if (!isNew) return known->second;
    Part& part = known->second;
    const int64_t workers = std::max(1, size_ - 1);
    const int64_t worker = std::min<int64_t>(rank_, workers);
    Extent start(lengths.size(), 0);
    Extent count = lengths;
    start[dim] = lengths[dim] * worker * worker / (workers * workers);
    const int64_t end = lengths[dim] * (worker + 1) * (worker + 1) / (workers * workers);
    start[dim] = std::min(start[dim] + gap, end);
    count[dim] = worker == workers && size_ > 1 ? 0 : end - start[dim];
    if (count[dim] == 0) start[dim] = 0;
    bio_decomp_block(context_, static_cast<int>(lengths.size()), lengths.data(), start.data(),
                     count.data(), &part.decomposition);
    int64_t inner = 1;
    for (std::size_t i = dim + 1; i < lengths.size(); ++i) inner *= lengths[i];
    for (const int64_t cell : all(lengths)) {
      const int64_t coordinate = cell / inner % lengths[dim];
      if (coordinate >= start[dim] && coordinate < start[dim] + count[dim]) {
        part.cells.push_back(cell);
      }
    }
    lengths_[part.decomposition] = product(lengths);
    return part;
  }

  // Cells go round the ranks, backwards; every fifth is nobody's.
  const Part& map(const Extent& lengths) {
    const auto [known, isNew] = parts_.try_emplace({lengths, -1});
    if (!isNew) return known->second;
    Part& part = known->second;
    for (int64_t cell = product(lengths) - 1; cell >= 0; --cell) {
      if (cell % 5 != 2 && cell / 2 % size_ == rank_) part.cells.push_back(cell);
    }
    bio_decomp_map(context_, static_cast<int>(lengths.size()), lengths.data(),
                   static_cast<int64_t>(part.cells.size()), part.cells.data(), &part.decomposition);
    lengths_[part.decomposition] = product(lengths);
    return part;
  }

  // Asks for something wrong, on rank 1 alone if the fault says "one", then for a scalar.
  int ask(const std::string& fault, int64_t step) {
    const bool mine = fault.rfind("one ", 0) != 0 || rank_ == 1;
    const std::string kind = mine ? fault.substr(fault.rfind(' ') + 1) : "";
    const Part& rows = boxes({kind == "length" ? lat + 1 : lat, lon}, 0, 0);
    const int64_t own = levels * static_cast<int64_t>(rows.cells.size());
    std::vector<float> values(static_cast<std::size_t>(own + 1), 0.F);
    const int status =
        bio_get(reader_, kind == "bundle" ? "mush" : "odd names",
                kind == "variable" ? "temp" : "t\xC3\xA9mp (9) @ 2m",
                kind == "type" ? BIO_FLOAT64 : BIO_FLOAT32,
                kind == "decomposition" ? 77 : rows.decomposition, own + (kind == "room" ? 1 : 0),
                kind == "null" ? nullptr : values.data());
    std::printf("rank %d: %s: %d %s\n", rank_, fault.c_str(), status,
                status == BIO_OK ? "" : bio_message(context_));
    int64_t scalar = 0;
    if (bio_get(reader_, "mesh", "scalar", BIO_INT64, BIO_ON_ROOT, rank_ == 0 ? 1 : 0, &scalar) !=
        BIO_OK) {
      return failed(3);
    }
    return rank_ == 0 && scalar != 1234567890123 + step ? 1 : 0;
  }

  int rank_ = 0;
  int size_ = 1;
  bio_context* context_ = nullptr;
  bio_reader* reader_ = nullptr;
  std::map<std::pair<Extent, int>, Part> parts_;  // by lengths and way; -1: maps
  std::map<int, int64_t> lengths_;                // cells of a plane by decomposition
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string step = argv[2];
  std::map<std::string, std::string> options;
  for (int i = 3; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  MPI_Init(&argc, &argv);
  int code = 0;
  std::istringstream paths(argv[1]);
  for (std::string path; std::getline(paths, path, ',');) {
    code = std::max(
        code, CaseReader().run(path.c_str(), step == "last" ? BIO_LAST_STEP : std::stoll(step),
                               options["--options"].c_str(), options["--faults"], options["--hold"],
                               options["--slab"] == "yes"));
  }
  MPI_Finalize();
  return code;
}
