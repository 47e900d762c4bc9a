// Writes maps of many kinds through the C interface, and reads them back by other maps.
// - map_cases cases PATH BACKEND [OPTIONS]: all types by all kinds of ownership; what is written
//   does not depend on the number of ranks
// - map_cases step PATH BACKEND VARIABLES LEVELS CELLS STEPS [OPTIONS [half]]: float32 by a
// scattered
//   map, or by boxes that leave the upper half to nobody; rank 0 prints the report
// - map_cases back PATH LEVELS CELLS OPTIONS: reads the first variable of such a step by another
//   map, and on rank 0
// - map_cases mistake NAME: prints what each rank is told
// With "--then" between two, several are one job.
#include <bundleio/bundleio.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "several_runs.hpp"

namespace {

constexpr int64_t rows = 13;
constexpr int64_t columns = 157;
constexpr int64_t levels = 6;
constexpr int64_t untouched = 77;

// Where a cell is, of `ranks`; -1: nobody has it.
using Ownership = int (*)(int64_t cell, int64_t cells, int ranks);

// Source of the factor: Knuth, TAOCP 3, section 6.4.
int mixed(int64_t cell, int ranks) {
  const auto word = static_cast<std::uint32_t>(cell) * 2654435761U;
  return static_cast<int>((word >> 8U) % static_cast<unsigned>(ranks));
}
int scattered(int64_t cell, int64_t /*cells*/, int ranks) { return mixed(cell, ranks); }
int inBlocks(int64_t cell, int64_t cells, int ranks) {
  return static_cast<int>(cell * ranks / cells);
}
int onLast(int64_t /*cell*/, int64_t /*cells*/, int ranks) { return ranks - 1; }
int idleFirst(int64_t cell, int64_t /*cells*/, int ranks) {
  return ranks == 1 ? 0 : 1 + mixed(cell, ranks - 1);
}
int withGaps(int64_t cell, int64_t /*cells*/, int ranks) {
  return cell % 9 == 4 ? -1 : mixed(cell, ranks);
}

struct Kind {
  const char* name;
  Ownership ownership;
  bool fromOne;
};
constexpr Kind kinds[] = {{"scattered", scattered, false},
                          {"blocks", inBlocks, false},
                          {"one owner", onLast, false},
                          {"idle first", idleFirst, true},
                          {"gaps", withGaps, true}};

int rank = 0;
int ranks = 1;
bio_context* context = nullptr;

int failed(const char* call) {
  std::printf("rank %d: %s: %s\n", rank, call, bio_message(context));
  std::fflush(stdout);
  return 3;
}

struct Map {
  int id = 0;
  std::vector<int64_t> cells;  // by local value; -1: nowhere
};

// Backwards; counted from 1, every fifth local value belongs nowhere.
int decompose(const std::vector<int64_t>& lengths, const Kind& kind, Map* map) {
  int64_t cells = 1;
  for (const int64_t length : lengths) cells *= length;
  for (int64_t cell = cells - 1; cell >= 0; --cell) {
    if (kind.ownership(cell, cells, ranks) != rank) continue;
    if (kind.fromOne && map->cells.size() % 5 == 3) map->cells.push_back(-1);
    map->cells.push_back(cell);
  }
  std::vector<int64_t> given = map->cells;
  if (kind.fromOne) {
    for (int64_t& cell : given) ++cell;
  }
  const auto make = kind.fromOne ? bio_decomp_map_one_based : bio_decomp_map;
  return make(context, static_cast<int>(lengths.size()), lengths.data(),
              static_cast<int64_t>(given.size()), given.data(), &map->id);
}

// Boxes of neighbours, which leave the upper half to nobody.
int decomposeHalf(int64_t cells, Map* map) {
  const int64_t start = cells / 2 * rank / ranks;
  const int64_t count = cells / 2 * (rank + 1) / ranks - start;
  for (int64_t cell = start; cell < start + count; ++cell) map->cells.push_back(cell);
  return bio_decomp_block(context, 1, &cells, &start, &count, &map->id);
}

int64_t valueAt(int variable, int64_t level, int64_t cell) {
  return (cell + 31 * level + 7 * variable) % 120;
}

template <class T>
void append(std::vector<char>* bytes, int64_t number) {
  const auto value = static_cast<T>(number);
  const auto at = bytes->size();
  bytes->resize(at + sizeof value);
  std::memcpy(bytes->data() + at, &value, sizeof value);
}

void appendAs(int type, std::vector<char>* bytes, int64_t number) {
  if (type == BIO_INT8) append<int8_t>(bytes, number);
  if (type == BIO_UINT8) append<uint8_t>(bytes, number);
  if (type == BIO_INT16) append<int16_t>(bytes, number);
  if (type == BIO_UINT16) append<uint16_t>(bytes, number);
  if (type == BIO_INT32) append<int32_t>(bytes, number);
  if (type == BIO_UINT32) append<uint32_t>(bytes, number);
  if (type == BIO_INT64) append<int64_t>(bytes, number);
  if (type == BIO_UINT64) append<uint64_t>(bytes, number);
  if (type == BIO_FLOAT32) append<float>(bytes, number);
  if (type == BIO_FLOAT64) append<double>(bytes, number);
}

// The local values, or those that another ownership must read: cells of nobody are filled with 99.
std::vector<char> valuesOf(int type, int variable, int64_t depth, const Map& map, Ownership writers,
                           int64_t cells) {
  std::vector<char> values;
  for (int64_t level = 0; level < depth; ++level) {
    for (const int64_t cell : map.cells) {
      const bool isFill = cell >= 0 && writers(cell, cells, ranks) < 0;
      appendAs(type, &values, cell < 0 ? untouched : isFill ? 99 : valueAt(variable, level, cell));
    }
  }
  return values;
}

struct Case {
  std::string name;
  int type;
  std::size_t kind;
  int variable = 0;
};

int writeCases(const std::vector<Map>& maps, std::vector<Case>* cases, const std::string& path,
               const std::string& backend, const std::string& options) {
  bio_run* run = nullptr;
  if (bio_open(context, path.c_str(), BIO_CREATE, backend.c_str(), options.c_str(), &run) !=
      BIO_OK) {
    return failed("open");
  }
  int bundle = 0;
  int dims[3] = {};
  bio_bundle(run, "maps", &bundle);
  bio_def_dim(run, bundle, "lev", levels, &dims[0]);
  bio_def_dim(run, bundle, "row", rows, &dims[1]);
  bio_def_dim(run, bundle, "column", columns, &dims[2]);
  for (Case& one : *cases) {
    bio_def_var(run, bundle, one.name.c_str(), one.type, 3, dims, maps[one.kind].id, &one.variable);
    std::vector<char> fill;
    appendAs(one.type, &fill, 99);
    bio_put_att(run, bundle, one.variable, "_FillValue", one.type, 1, fill.data());
  }
  std::vector<std::vector<char>> kept;
  bio_step_begin(run);
  for (const Case& one : *cases) {
    const Map& map = maps[one.kind];
    kept.push_back(
        valuesOf(one.type, one.variable, levels, map, kinds[one.kind].ownership, rows * columns));
    // In ranges, the last first.
    const auto half = static_cast<std::size_t>(levels / 2);
    const std::size_t plane = kept.back().size() / static_cast<std::size_t>(levels);
    bio_put_levels(run, one.variable, levels / 2, levels / 2, kept.back().data() + half * plane);
    bio_put_levels(run, one.variable, 0, levels / 2, kept.back().data());
  }
  if (bio_step_end(run) != BIO_OK || bio_close(run) != BIO_OK) return failed("step");
  return 0;
}

int readCases(const std::vector<Map>& maps, const std::vector<Case>& cases, const std::string& path,
              const std::string& options) {
  bio_reader* reader = nullptr;
  if (bio_read_open(context, path.c_str(), BIO_LAST_STEP, options.c_str(), &reader) != BIO_OK) {
    return failed("read");
  }
  for (const Case& one : cases) {
    const Map& map = maps[(one.kind + 2) % maps.size()];
    const std::vector<char> expected =
        valuesOf(one.type, one.variable, levels, map, kinds[one.kind].ownership, rows * columns);
    std::vector<char> values;
    const auto count = levels * static_cast<int64_t>(map.cells.size());
    for (int64_t i = 0; i < count; ++i) appendAs(one.type, &values, untouched);
    if (bio_get(reader, "maps", one.name.c_str(), one.type, map.id, count, values.data()) !=
        BIO_OK) {
      return failed("get");
    }
    if (values != expected) {
      std::printf("rank %d: %s: other values than were put\n", rank, one.name.c_str());
      return 4;
    }
  }
  return bio_read_close(reader) == BIO_OK ? 0 : failed("read_close");
}

int allCases(const std::string& path, const std::string& backend, const std::string& options) {
  std::vector<Map> maps(std::size(kinds));
  std::vector<Case> cases;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (decompose({rows, columns}, kinds[i], &maps[i]) != BIO_OK) return failed("map");
    for (int type = BIO_INT8; type <= BIO_FLOAT64; ++type) {
      cases.push_back({kinds[i].name + std::string(" ") + std::to_string(type), type, i});
    }
  }
  const int code = writeCases(maps, &cases, path, backend, options);
  return code != 0 ? code : readCases(maps, cases, path, options);
}

float largeValue(int number, int64_t level, int64_t cell) {
  return static_cast<float>(number * 1e6 + static_cast<double>(level * 1000 + cell));
}

struct Size {
  int variables;
  int64_t depth;
  int64_t cells;
  int steps;
};

int largeStep(const std::string& path, const std::string& backend, Size size,
              const std::string& options, bool isHalf) {
  Map map;
  const int status =
      isHalf ? decomposeHalf(size.cells, &map) : decompose({size.cells}, kinds[0], &map);
  if (status != BIO_OK) return failed("map");
  bio_run* run = nullptr;
  if (bio_open(context, path.c_str(), BIO_REPLACE, backend.c_str(), options.c_str(), &run) !=
      BIO_OK) {
    return failed("open");
  }
  int bundle = 0;
  int dims[2] = {};
  bio_bundle(run, "mesh", &bundle);
  bio_def_dim(run, bundle, "lev", size.depth, &dims[0]);
  bio_def_dim(run, bundle, "cell", size.cells, &dims[1]);
  std::vector<int> ids(static_cast<std::size_t>(size.variables));
  const auto own = static_cast<std::size_t>(size.depth) * map.cells.size();
  std::vector<float> values(own * ids.size());
  auto value = values.begin();
  for (int number = 0; number < size.variables; ++number) {
    bio_def_var(run, bundle, ("v" + std::to_string(number)).c_str(), BIO_FLOAT32, 2, dims, map.id,
                &ids[static_cast<std::size_t>(number)]);
    for (int64_t level = 0; level < size.depth; ++level) {
      for (const int64_t cell : map.cells) *value++ = largeValue(number, level, cell);
    }
  }
  for (int step = 0; step < size.steps; ++step) {
    bio_step_begin(run);
    for (std::size_t i = 0; i < ids.size(); ++i) bio_put(run, ids[i], values.data() + i * own);
    if (bio_step_end(run) != BIO_OK) return failed("step");
  }
  const char* json = "";
  if (bio_report(run, &json) != BIO_OK) return failed("report");
  if (rank == 0) std::printf("%s\n", json);
  return bio_close(run) == BIO_OK ? 0 : failed("close");
}

int largeRead(bio_reader* reader, int64_t depth, const Map& map) {
  std::vector<float> expected;
  for (int64_t level = 0; level < depth; ++level) {
    for (const int64_t cell : map.cells) {
      expected.push_back(cell < 0 ? untouched : largeValue(0, level, cell));
    }
  }
  std::vector<float> values(expected.size(), untouched);
  if (bio_get(reader, "mesh", "v0", BIO_FLOAT32, map.id, static_cast<int64_t>(values.size()),
              values.data()) != BIO_OK) {
    return failed("get");
  }
  if (values == expected) return 0;
  std::printf("rank %d: other values than were put\n", rank);
  return 4;
}

int readLarge(const std::string& path, int64_t depth, int64_t cells, const std::string& options) {
  bio_reader* reader = nullptr;
  if (bio_read_open(context, path.c_str(), BIO_LAST_STEP, options.c_str(), &reader) != BIO_OK) {
    return failed("read");
  }
  Map other;
  if (decompose({cells}, kinds[3], &other) != BIO_OK) return failed("map");
  Map all{BIO_ON_ROOT, {}};
  for (int64_t cell = 0; rank == 0 && cell < cells; ++cell) all.cells.push_back(cell);
  const int byMap = largeRead(reader, depth, other);
  const int onRoot = largeRead(reader, depth, all);
  return bio_read_close(reader) == BIO_OK ? byMap + onRoot : failed("read_close");
}

// Of ten cells in all, on rank 1 or the only one: the others own some of the even ones.
int mistake(const std::string& name) {
  const int64_t length = 10;
  const bool isMine = rank == std::min(1, ranks - 1);
  const bool fromOne = name.rfind("one-based", 0) == 0;
  std::vector<int64_t> cells;
  if (rank == 0) cells = {2, 4};
  if (isMine && name.find("negative") != std::string::npos) cells.push_back(-3);
  if (isMine && name.find("beyond") != std::string::npos) cells.push_back(fromOne ? 11 : 10);
  if (isMine && name.find("of two") != std::string::npos) cells.push_back(4);
  if (isMine && name.find("twice") != std::string::npos) cells.insert(cells.end(), {7, 7});
  if (name.find("from zero") != std::string::npos) {
    cells.clear();
    for (int64_t cell = rank; cell < length; cell += ranks) cells.push_back(cell);
  }
  if (name.find("land") != std::string::npos) {
    cells.clear();
    for (int64_t cell = rank; cell < length; cell += ranks) {
      cells.push_back(cell == length - 1 ? 0 : cell + 1);
    }
  }
  const bool takesOther = name.find("other base") != std::string::npos && isMine;
  const auto make = fromOne != takesOther ? bio_decomp_map_one_based : bio_decomp_map;
  int made = 0;
  const int status =
      make(context, 1, &length, static_cast<int64_t>(cells.size()), cells.data(), &made);
  std::printf("rank %d: %d %s\n", rank, status, status == BIO_OK ? "" : bio_message(context));
  return 0;
}

int run(const std::vector<std::string>& words) {
  if (bio_init(MPI_COMM_WORLD, &context) != BIO_OK) return 3;
  const auto word = [&](std::size_t index) { return index < words.size() ? words[index] : ""; };
  int code = 2;
  if (word(0) == "cases") code = allCases(word(1), word(2), word(3));
  if (word(0) == "step") {
    const Size size{std::stoi(word(3)), std::stoll(word(4)), std::stoll(word(5)),
                    std::stoi(word(6))};
    code = largeStep(word(1), word(2), size, word(7), word(8) == "half");
  }
  if (word(0) == "back")
    code = readLarge(word(1), std::stoll(word(2)), std::stoll(word(3)), word(4));
  if (word(0) == "mistake") code = mistake(word(1));
  bio_finish(context);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int code = runEach(argc, argv, run);
  MPI_Finalize();
  return code;
}
