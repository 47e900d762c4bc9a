// CRC-32C against published vectors, by every way of computing it, and sums of values against the
// sum of the bytes as they would lie in a file. With an argument: measures GB per second of
// processor time instead.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "guard/crc32c.hpp"
#include "guard/value_sums.hpp"

namespace {

using bundleio::Block;
using bundleio::Extent;

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("failed: %s\n", what);
  ++failures;
}

const std::byte* bytesOf(const std::string& text) {
  return reinterpret_cast<const std::byte*>(text.data());
}

void sayWhatIsLeftOut() {
  const std::pair<bundleio::CrcWay, const char*> ways[] = {
      {bundleio::CrcWay::instruction, "the CRC instruction: this processor has no SSE 4.2"},
      {bundleio::CrcWay::both, "AVX2 beside it: this processor has no AVX2, or no VPCLMULQDQ"},
      {bundleio::CrcWay::folding, "AVX-512: this processor has no AVX-512, or no VPCLMULQDQ"}};
  for (const auto& [way, what] : ways) {
    if (way > bundleio::fastestCrcWay()) std::printf("skipped: bundleio's sums by %s\n", what);
  }
}

// Source: RFC 3720, appendix B.4, and the check value of the Castagnoli polynomial.
void publishedVectors() {
  std::string up(32, '\0');
  std::string down(32, '\0');
  for (int i = 0; i < 32; ++i) {
    up[static_cast<std::size_t>(i)] = static_cast<char>(i);
    down[static_cast<std::size_t>(i)] = static_cast<char>(31 - i);
  }
  const std::pair<std::string, std::uint32_t> vectors[] = {{"123456789", 0xE3069283U},
                                                           {std::string(32, '\0'), 0x8A9136AAU},
                                                           {std::string(32, '\xff'), 0x62A8AB43U},
                                                           {up, 0x46DD794EU},
                                                           {down, 0x113FDB5CU},
                                                           {"", 0}};
  for (const auto& [text, sum] : vectors) {
    expect(bundleio::crc32c(text.data(), text.size()) == sum, "a published sum");
    const auto table = bundleio::remainderByTable(bytesOf(text), text.size(), ~0U);
    expect(~table == sum, "a published sum, by table");
    const auto remainder = bundleio::remainderOf(bytesOf(text), text.size());
    expect(bundleio::published(remainder, text.size()) == sum, "a published sum, by remainder");
  }
}

std::string randomBytes(std::size_t count) {
  std::mt19937 random(20261122);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

// Those that are slower than the fastest are there, too.
std::vector<bundleio::CrcWay> waysOfThisProcessor() {
  std::vector<bundleio::CrcWay> ways;
  for (const auto way : {bundleio::CrcWay::table, bundleio::CrcWay::instruction,
                         bundleio::CrcWay::both, bundleio::CrcWay::folding}) {
    if (way <= bundleio::fastestCrcWay()) ways.push_back(way);
  }
  return ways;
}

void parts() {
  const std::string all = randomBytes(12000);
  for (std::size_t at = 0; at <= all.size(); at += 37) {
    const auto first = bundleio::remainderOf(bytesOf(all), at);
    const auto second = bundleio::remainderOf(bytesOf(all) + at, all.size() - at);
    const auto whole = bundleio::shifted(first, all.size() - at) ^ second;
    expect(whole == bundleio::remainderOf(bytesOf(all), all.size()), "two parts put together");
    expect(bundleio::Shift(at)(first) == bundleio::shifted(first, at), "two ways to shift");
    for (const std::uint64_t zeros : {at, at << 20U, (std::uint64_t{1} << 40U) + at}) {
      expect(bundleio::shiftedBySteps(first, zeros) == bundleio::shifted(first, zeros),
             "steps and instruction");
    }
    const auto byTable = bundleio::remainderByTable(bytesOf(all), at, 7);
    expect(byTable == bundleio::remainderOf(bytesOf(all), at, 7), "table and instruction");
  }
  for (const std::size_t row :
       {1U, 4U, 7U, 8U, 63U, 64U, 65U, 96U, 100U, 127U, 128U, 256U, 288U, 375U, 599U, 1152U}) {
    std::string spread;
    const std::size_t rows = all.size() / row;
    for (std::size_t i = 0; i < rows; ++i) {
      spread += all.substr(i * row, row);
      if (i + 1 < rows) spread += std::string(13, '\0');
    }
    for (const bundleio::CrcWay way : waysOfThisProcessor()) {
      const auto sum =
          bundleio::remainderOfRows(bytesOf(all), row, rows, bundleio::Shift(row + 13), way);
      expect(sum == bundleio::remainderOf(bytesOf(spread), spread.size()), "rows apart");
    }
  }
  for (const std::uint64_t count : {0U, 1U, 2U, 7U, 1000U}) {
    std::string same;
    for (std::uint64_t i = 0; i < count; ++i) same += "abcd" + std::string(3, '\0');
    const auto one = bundleio::shifted(bundleio::remainderOf(bytesOf("abcd"), 4), 3);
    expect(bundleio::repeated(one, 7, count) == bundleio::remainderOf(bytesOf(same), same.size()),
           "equal parts");
  }
}

// Values of a model may begin or end where its memory does: nothing is read before them or behind.
void rowsAtTheEdgesOfMemory() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = 8 * page;
  void* const place =
      mmap(nullptr, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect(place != MAP_FAILED, "memory for a test");
  if (place == MAP_FAILED) return;
  std::byte* const first = static_cast<std::byte*>(place) + page;
  expect(mprotect(first, bytes, PROT_READ | PROT_WRITE) == 0, "memory for a test");
  const std::string random = randomBytes(bytes);
  std::memcpy(first, random.data(), bytes);
  for (const std::size_t row : {1U, 9U, 63U, 64U, 65U, 95U, 96U, 127U, 383U, 384U, 385U, 1023U,
                                1024U, 1025U, 1151U, 1152U, 1153U}) {
    const bundleio::Shift stride(row + 3);
    for (const std::size_t rows : {1U, 2U, 4U, 5U, 7U}) {
      for (const std::byte* at : {first, first + bytes - row * rows}) {
        const auto sum = bundleio::remainderOfRows(at, row, rows, stride, bundleio::CrcWay::table);
        for (const bundleio::CrcWay way : waysOfThisProcessor()) {
          expect(bundleio::remainderOfRows(at, row, rows, stride, way) == sum, "rows at an edge");
        }
      }
    }
  }
  munmap(place, bytes + 2 * page);
}

// Boxes that cover an array, cut at random places.
std::vector<Block> boxesOf(const Extent& lengths, std::mt19937& random) {
  std::vector<Block> boxes{{Extent(lengths.size(), 0), lengths}};
  for (int cut = 0; cut < 9 && !lengths.empty(); ++cut) {
    Block& box = boxes[random() % boxes.size()];
    const std::size_t dim = random() % lengths.size();
    if (box.count[dim] < 2) continue;
    Block rest = box;
    box.count[dim] = 1 + static_cast<std::int64_t>(random()) % (box.count[dim] - 1);
    rest.start[dim] += box.count[dim];
    rest.count[dim] -= box.count[dim];
    boxes.push_back(rest);
  }
  return boxes;
}

std::vector<std::uint32_t> sumsOfFile(const std::vector<std::byte>& file,
                                      const bundleio::Variable& variable) {
  const auto sections = bundleio::Sections::of(variable);
  const auto length = variable.lengths.empty() ? 1 : variable.lengths[sections.dimension];
  std::vector<std::uint32_t> sums;
  std::size_t at = 0;
  for (std::int64_t number = 0; number < sections.count; ++number) {
    const auto run = number % sections.runs;
    const auto entries = std::min(sections.entries, length - run * sections.entries);
    const auto bytes = static_cast<std::size_t>(entries * sections.entryBytes);
    sums.push_back(bundleio::crc32c(file.data() + at, bytes));
    at += bytes;
  }
  expect(at == file.size(), "sections cover a variable");
  return sums;
}

void boxes() {
  std::mt19937 random(7);
  const std::vector<Extent> shapes{{},
                                   {1},
                                   {5},
                                   {300000},
                                   {7, 11},
                                   {3, 100, 400},
                                   {2, 3, 4, 5},
                                   {70, 60, 130},
                                   {3, 1, 270001},
                                   {200000, 2},
                                   {1, 2, 300, 450}};
  for (const Extent& lengths : shapes) {
    for (const bundleio::Type type : {BIO_FLOAT32, BIO_FLOAT64, BIO_INT8}) {
      bundleio::Schema schema(1, 0);
      const int bundle = schema.addBundle("b");
      std::vector<int> dimensions;
      for (std::size_t dim = 0; dim < lengths.size(); ++dim) {
        dimensions.push_back(schema.addDimension(bundle, "d" + std::to_string(dim), lengths[dim]));
      }
      const int index = schema.addVariable(bundle, "v", type, dimensions, nullptr);
      const bundleio::Variable& variable = schema.variable(index);
      const std::string random_ = randomBytes(static_cast<std::size_t>(variable.bytes()));
      std::vector<std::byte> file(bytesOf(random_), bytesOf(random_) + random_.size());
      const std::vector<Block> parts = boxesOf(lengths, random);
      bundleio::ValueSums sums(schema);
      const std::size_t cell = bundleio::bytesOf(type);
      const std::vector<std::byte> fill(cell, std::byte{0x5A});
      for (std::size_t i = 0; i < parts.size(); ++i) {
        std::vector<std::byte> values(static_cast<std::size_t>(parts[i].cells()) * cell,
                                      std::byte{0x5A});
        if (i % 3 == 1) {
          bundleio::copyIntoArray(lengths, parts[i], cell, values.data(), file.data());
          sums.addFill(index, parts[i], fill);
        } else {
          bundleio::copyFromArray(lengths, parts[i], cell, file.data(), values.data());
          sums.add(index, parts[i], values.data());
        }
      }
      expect(sums.of(index) == sumsOfFile(file, variable), "boxes of a variable");
    }
  }
}

// Rows as long as each way of summing takes them, a byte less and a byte more, at odd addresses.
void rowsOfEachLength() {
  const Extent lengths{2, 3, 7, 1400};
  bundleio::Schema schema(1, 0);
  const int bundle = schema.addBundle("b");
  std::vector<int> dimensions;
  for (std::size_t dim = 0; dim < lengths.size(); ++dim) {
    dimensions.push_back(schema.addDimension(bundle, "d" + std::to_string(dim), lengths[dim]));
  }
  const int index = schema.addVariable(bundle, "v", BIO_INT8, dimensions, nullptr);
  const std::string random = randomBytes(static_cast<std::size_t>(bundleio::cellCount(lengths)));
  const std::vector<std::byte> file(bytesOf(random), bytesOf(random) + random.size());
  for (const std::int64_t row : {1,    63,   64,   65,   255,  256,  257,  383,  384,  385,
                                 1023, 1024, 1025, 1151, 1152, 1153, 1279, 1280, 1281, 1399}) {
    bundleio::ValueSums sums(schema);
    for (const Block& box : {Block{Extent(4, 0), {2, 3, 7, row}},
                             Block{{0, 0, 0, row}, {2, 3, 7, lengths[3] - row}}}) {
      std::vector<std::byte> values(static_cast<std::size_t>(box.cells()) + 1);
      bundleio::copyFromArray(lengths, box, 1, file.data(), values.data() + 1);
      sums.add(index, box, values.data() + 1);
    }
    expect(sums.of(index) == sumsOfFile(file, schema.variable(index)), "rows of each length");
  }
}

template <class Work>
void measure(const char* what, double bytes, Work&& work) {
  double best = 1e9;
  for (int repeat = 0; repeat < 7; ++repeat) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("%s: %.2f GB/s\n", what, bytes / best / 1e9);
}

// A box of a rank, as in bench: 72 levels of rows of a quarter of a 288 x 144 grid.
void speeds() {
  bundleio::Schema schema(1, 0);
  const int bundle = schema.addBundle("b");
  std::vector<int> dimensions;
  for (const std::int64_t length : {720, 144, 288}) {
    dimensions.push_back(schema.addDimension(bundle, "d" + std::to_string(length), length));
  }
  const int index = schema.addVariable(bundle, "v", BIO_FLOAT32, dimensions, nullptr);
  bundleio::ValueSums sums(schema);
  std::uint32_t all = 0;
  for (const std::int64_t width : {288, 144, 72, 16}) {
    const Block box{{0, 0, 0}, {720, 144, width}};
    const std::vector<std::byte> values(static_cast<std::size_t>(box.cells()) * 4, std::byte{1});
    const auto bytes = static_cast<double>(values.size());
    const std::string what = "boxes with rows of " + std::to_string(4 * width) + " bytes";
    measure(what.c_str(), bytes, [&] { sums.add(index, box, values.data()); });
    if (width != 288) continue;
    measure("one row after another", bytes,
            [&] { all ^= bundleio::remainderOf(values.data(), values.size()); });
    measure("by table", bytes,
            [&] { all ^= bundleio::remainderByTable(values.data(), values.size(), 0); });
    std::vector<std::byte> copy(values.size());
    measure("memcpy", bytes, [&] { std::memcpy(copy.data(), values.data(), values.size()); });
  }
  std::printf("way %d of 0 to 3; %08x\n", static_cast<int>(bundleio::fastestCrcWay()),
              all ^ sums.of(index)[0]);
}

}  // namespace

int main(int argc, char** /*argv*/) {
  if (argc > 1) {
    speeds();
    return 0;
  }
  sayWhatIsLeftOut();
  publishedVectors();
  parts();
  rowsAtTheEdgesOfMemory();
  boxes();
  rowsOfEachLength();
  return failures == 0 ? 0 : 1;
}
