// Ranks share out the whole step, once, and its files so that none has much more to do than others;
// and the checksum is the published one, however its bytes come.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "checksum.hpp"
#include "exchange/file_groups.hpp"
#include "model/parts.hpp"

namespace {

using bundleio::Extent;
using bundleio::Part;
using bundleio::Schema;

int failures = 0;

void expect(bool condition, const std::string& what) {
  if (condition) return;
  std::printf("failed: %s\n", what.c_str());
  ++failures;
}

// Variables of all kinds of shapes, in two bundles that were defined in turn.
Schema schemaOfShapes() {
  const std::vector<Extent> shapes{{}, {7}, {3, 5, 11}, {1000, 3}, {2, 0, 9}, {1, 1, 4099}, {}};
  Schema schema(1, 0);
  schema.addBundle("one");
  schema.addBundle("other");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const int bundle = static_cast<int>(i % 2);
    std::vector<int> dimensions;
    for (std::size_t dim = 0; dim < shapes[i].size(); ++dim) {
      const std::string name = "d" + std::to_string(i) + "." + std::to_string(dim);
      dimensions.push_back(schema.addDimension(bundle, name, shapes[i][dim]));
    }
    schema.addVariable(bundle, "v" + std::to_string(i), i % 3 == 0 ? BIO_FLOAT64 : BIO_UINT8,
                       dimensions, nullptr);
  }
  return schema;
}

// Marks the cells of `part` in the variable's own order; false if one was marked before.
bool mark(const Schema& schema, const Part& part, std::vector<std::vector<bool>>& marked) {
  std::vector<bool>& cells = marked[static_cast<std::size_t>(part.variable)];
  const Extent& lengths = schema.variable(part.variable).lengths;
  for (std::int64_t at = 0; at < part.box.cells(); ++at) {
    const auto cell = static_cast<std::size_t>(bundleio::cellAt(lengths, part.box, at));
    if (cells[cell]) return false;
    cells[cell] = true;
  }
  return true;
}

void everyCellIsInOneShare(int ranks, std::size_t bytesMax) {
  const Schema schema = schemaOfShapes();
  std::vector<std::vector<bool>> marked;
  for (const auto& variable : schema.variables()) {
    marked.emplace_back(static_cast<std::size_t>(bundleio::cellCount(variable.lengths)), false);
  }
  const std::string how =
      std::to_string(ranks) + " ranks, parts of " + std::to_string(bytesMax) + " bytes";
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Part& part : bundleio::shareOf(schema, rank, ranks, bytesMax)) {
      const std::size_t bytes = bundleio::partBytes(schema, part);
      expect(bytes <= std::max<std::size_t>(bytesMax, 8), how + ": too large a part");
      // Its cells follow each other: the last is as far behind the first as there are cells.
      const Extent& lengths = schema.variable(part.variable).lengths;
      const std::int64_t first = bundleio::cellAt(lengths, part.box, 0);
      const std::int64_t last = bundleio::cellAt(lengths, part.box, part.box.cells() - 1);
      expect(last - first == part.box.cells() - 1, how + ": a part with gaps");
      expect(mark(schema, part, marked), how + ": a cell in two shares");
    }
  }
  for (const auto& cells : marked) {
    for (const bool isMarked : cells) expect(isMarked, how + ": a cell in no share");
  }
}

void sharesWeighAlike() {
  const Schema schema = schemaOfShapes();
  std::vector<std::size_t> parts;
  for (int rank = 0; rank < 4; ++rank) {
    parts.push_back(bundleio::shareOf(schema, rank, 4, 64).size());
  }
  const auto [least, most] = std::minmax_element(parts.begin(), parts.end());
  expect(*most - *least <= 1, "shares of many small parts differ");
}

// Weights from a few to millions, files without any among them.
void filesAreSharedOutEvenly(std::size_t files, int writers) {
  std::mt19937_64 random(files * 1000 + static_cast<std::size_t>(writers));
  std::vector<std::int64_t> weights(files);
  for (auto& weight : weights) weight = std::int64_t{1} << random() % 24 >> 2;
  const auto shared = bundleio::shareWriters(weights, writers);
  const std::string how = std::to_string(files) + " files, " + std::to_string(writers) + " writers";
  std::vector<double> loads(static_cast<std::size_t>(writers), 0);
  std::vector<int> owners(loads.size(), 0);
  for (std::size_t i = 0; i < files; ++i) {
    if (weights[i] == 0) continue;
    expect(shared[i].count >= 1 && shared[i].first >= 0 &&
               shared[i].first + shared[i].count <= writers,
           how + ": a writer that is not there");
    for (int at = shared[i].first; at < shared[i].first + shared[i].count; ++at) {
      loads.at(static_cast<std::size_t>(at)) += shared[i].share / shared[i].count;
      if (shared[i].share >= 1) ++owners[static_cast<std::size_t>(at)];
    }
  }
  const bool anyWeight = std::any_of(weights.begin(), weights.end(), [](auto w) { return w > 0; });
  const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
  expect(std::abs(sum - (anyWeight ? writers : 0)) < 1e-6, how + ": more or less than all of it");
  // An equal load is 1. Whole writers and whole small files make the busiest one's less than 2.
  for (const double load : loads) expect(load < 2, how + ": load " + std::to_string(load));
  for (const int count : owners) expect(count <= 1, how + ": two large files at one writer");
}

// Files without writers of their own are shared out by what they weigh, not by their number.
void smallFilesWeighWhatTheyHold() {
  const std::vector<std::int64_t> weights{40, 30, 10, 10, 10};
  std::vector<double> loads(2, 0);
  for (const auto& file : bundleio::shareWriters(weights, 2)) {
    expect(file.count == 1, "a small file with two writers");
    loads.at(static_cast<std::size_t>(file.first)) += file.share;
  }
  expect(std::abs(loads[0] - loads[1]) < 1e-9, "five files of 100 in all leave two writers uneven");
}

// As large as the bench's seven files are, in bytes, and as many writers as it has ranks.
void smallFilesWithManyVariablesDoNotMeet() {
  const std::vector<std::int64_t> weights{212, 194, 45, 30, 15, 21, 14};
  const auto shared = bundleio::shareWriters(weights, 16);
  expect(shared[5].first != shared[3].first && shared[5].first != shared[6].first,
         "two small files at one writer, though a third had less to do");
  expect(shared[0].count == 6 && shared[1].count == 5 && shared[2].count == 2,
         "writers of large files");
}

// Source of the values: xxHash's specification (empty input), the reference implementation's own
// "xxhsum -H1" (the others).
void checksumsAreThePublishedOnes() {
  const std::vector<std::pair<std::string, std::uint64_t>> known{
      {"", 0xEF46DB3751D8E999ULL},
      {"a", 0xD24EC4F1A98C6E5BULL},
      {"abc", 0x44BC2CF5AD770999ULL},
      {"Nobody inspects the spammish repetition", 0xFBCEA83C8A378BF1ULL}};
  for (const auto& [text, sum] : known) {
    expect(bundleio::checksumOf(text.data(), text.size()) == sum, "checksum of '" + text + "'");
  }
  bundleio::Checksum seeded(20141025);
  seeded.add("xxhash", 6);
  expect(seeded.value() == 13067679811253438005ULL, "checksum with a seed");
}

void checksumsDoNotDependOnTheCuts() {
  std::vector<unsigned char> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(3));
  const std::uint64_t whole = bundleio::checksumOf(bytes.data(), bytes.size());
  for (std::size_t cut = 1; cut < 100; ++cut) {
    bundleio::Checksum sum;
    for (std::size_t at = 0; at < bytes.size(); at += cut) {
      sum.add(&bytes[at], std::min(cut, bytes.size() - at));
    }
    expect(sum.value() == whole, "checksum in pieces of " + std::to_string(cut));
  }
}

}  // namespace

int main() {
  for (const int ranks : {1, 2, 3, 7, 64}) {
    for (const std::size_t bytesMax : {1, 8, 100, 1000, 1 << 20}) {
      everyCellIsInOneShare(ranks, bytesMax);
    }
  }
  sharesWeighAlike();
  for (std::size_t files = 1; files < 40; ++files) {
    for (const int writers : {1, 2, 3, 7, 16, 1000}) filesAreSharedOutEvenly(files, writers);
  }
  smallFilesWeighWhatTheyHold();
  smallFilesWithManyVariablesDoNotMeet();
  checksumsAreThePublishedOnes();
  checksumsDoNotDependOnTheCuts();
  return failures == 0 ? 0 : 1;
}
