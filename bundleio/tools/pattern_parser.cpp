// Reads pattern files from anywhere: every number is checked before it is used, and memory stays in
// proportion to the file.
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "model/layout.hpp"
#include "pattern.hpp"
#include "pattern_line.hpp"
#include "record/pattern_file.hpp"
#include "step/step_puts.hpp"

namespace bundleio {

namespace {

// Far beyond any machine or model, and small enough that sums and products stay in 64 bits.
constexpr std::int64_t ranksMax = std::int64_t{1} << 24;
constexpr std::int64_t bytesMax = std::int64_t{1} << 60;
constexpr std::int64_t microsecondsMax = std::int64_t{1} << 50;
constexpr std::int64_t dimensionsMax = 1024;
constexpr std::int64_t definitionsMax = 100000;
constexpr std::int64_t attributeBytesMax = std::int64_t{1} << 26;

class PatternParser {
 public:
  PatternParser(const std::string& name, const std::string& text) : name_(name), rest_(text) {}

  Pattern parse() {
    readHead();
    while (!ended_) readLine();
    if (!rest_.empty()) nextLine().fail("nothing may follow 'end'");
    return std::move(pattern_);
  }

 private:
  enum class Part { decompositions, bundles, variables, steps, any };
  struct Kind {
    std::string_view word;
    Part part;  // of the file that such lines are in
    void (PatternParser::*read)(PatternLine&);
  };
  static const std::array<Kind, 12> kinds;

  PatternLine nextLine() {
    const std::string place = name_ + ", line " + std::to_string(++line_);
    if (rest_.empty()) {
      throw Failure(BIO_BAD_ARGUMENT,
                    place + ": cut off: there is no line 'end'; the run was not closed, after " +
                        std::to_string(pattern_.steps.size()) + " steps");
    }
    const std::size_t length = rest_.find('\n');
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
    return {place, text};
  }

  void readHead() {
    PatternLine first = nextLine();
    if (first.word("'bundleio-pattern'") != "bundleio-pattern") {
      first.fail("not a pattern file: it starts with '" + std::string(patternHeader) + "'");
    }
    const std::int64_t version = first.number("version", 0, INT64_MAX);
    if (version != 1) first.fail("version " + std::to_string(version) + ", but this reads 1");
    first.end();
    PatternLine second = nextLine();
    if (second.word("'ranks'") != "ranks") second.fail("'ranks' must stand here");
    pattern_.ranks = static_cast<int>(second.number("number of ranks", 1, ranksMax));
    second.end();
    PatternLine third = nextLine();
    if (third.word("'backend'") != "backend") third.fail("'backend' must stand here");
    pattern_.backend = third.text("back end");
    if (third.hasMore()) pattern_.options = third.text("options");
    third.end();
  }

  void readLine() {
    PatternLine line = nextLine();
    const std::string_view word = line.word("first word");
    const auto* kind = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const Kind& known) { return known.word == word; });
    if (kind == kinds.end()) {
      line.fail("unknown line '" + encoded(std::string(word.substr(0, 40))) + "'");
    }
    // A refusal by a schema or a decomposition has no line of its own.
    try {
      enter(line, kind->part);
      (this->*kind->read)(line);
    } catch (const LineFailure&) {
      throw;
    } catch (const Failure& failure) {
      line.fail(failure.what());
    }
    line.end();
  }

  // The parts of a file follow each other.
  void enter(const PatternLine& line, Part part) {
    if (part == Part::any) return;
    if (part < part_) line.fail("this line must stand further up");
    if (decomposition_ && part != Part::decompositions) finishDecomposition(line);
    part_ = part;
  }

  void countDefinition(const PatternLine& line) {
    if (++definitions_ > definitionsMax) {
      line.fail("more than " + std::to_string(definitionsMax) + " definitions");
    }
  }

  // Checks that the product of the lengths stays in bounds, even where one of them is 0.
  static void checkProduct(const PatternLine& line, const Extent& lengths, std::int64_t bytes) {
    std::int64_t room = bytesMax / bytes;
    for (const std::int64_t length : lengths) room /= std::max<std::int64_t>(length, 1);
    if (room == 0) line.fail("the lengths make more than " + std::to_string(bytesMax) + " bytes");
  }

  void readDecomposition(PatternLine& line) {
    countDefinition(line);
    if (decomposition_) finishDecomposition(line);
    const std::string_view kind = line.word("kind");
    if (kind != "boxes" && kind != "map") line.fail("a decomposition is 'boxes' or 'map'");
    DecompositionPattern made{kind == "map", {}, {}, {}};
    const std::int64_t dimensions = line.number("number of dimensions", 1, dimensionsMax);
    for (std::int64_t i = 0; i < dimensions; ++i) {
      made.lengths.push_back(line.number("length", 0, bytesMax));
    }
    checkProduct(line, made.lengths, 1);
    unowned_ = cellCount(made.lengths);
    decomposition_ = std::move(made);
  }

  void finishDecomposition(const PatternLine& line) {
    std::vector<Block> boxes;
    std::vector<int> ranks;
    for (const auto& [rank, box] : decomposition_->boxes) {
      ranks.push_back(rank);
      boxes.push_back(box);
    }
    if (const auto found = findOverlap(boxes)) {
      line.fail("in the decomposition above, ranks " + std::to_string(ranks[found->first]) +
                " and " + std::to_string(ranks[found->second]) + " own the same cells");
    }
    const Block whole{Extent(decomposition_->lengths.size(), 0), decomposition_->lengths};
    shapes_.push_back(std::make_shared<const Decomposition>(
        Decomposition::fromBlocks(decomposition_->lengths, {whole}, 0)));
    pattern_.decompositions.push_back(std::move(*decomposition_));
    decomposition_.reset();
  }

  DecompositionPattern& current(const PatternLine& line, bool isMap) {
    if (!decomposition_ || decomposition_->isMap != isMap) {
      line.fail(std::string("no decomposition of ") + (isMap ? "kind map" : "boxes") +
                " stands above it");
    }
    return *decomposition_;
  }

  void own(const PatternLine& line, std::int64_t cells) {
    if (cells > unowned_) line.fail("ranks own more cells than there are");
    unowned_ -= cells;
  }

  void readBox(PatternLine& line) {
    DecompositionPattern& target = current(line, false);
    const auto rank = static_cast<int>(line.number("rank", 0, pattern_.ranks - 1));
    Block box;
    for (const std::int64_t length : target.lengths) {
      box.start.push_back(line.number("start", 0, length));
    }
    for (std::size_t i = 0; i < target.lengths.size(); ++i) {
      box.count.push_back(line.number("count", 0, target.lengths[i] - box.start[i]));
    }
    own(line, box.cells());
    if (!target.boxes.emplace(rank, std::move(box)).second) line.fail("a second box of this rank");
  }

  void readCells(PatternLine& line) {
    DecompositionPattern& target = current(line, true);
    const std::int64_t cells = cellCount(target.lengths);
    const auto rank = static_cast<int>(line.number("rank", 0, pattern_.ranks - 1));
    std::vector<CellRun> runs;
    while (line.hasMore()) {
      const auto parts = line.numbers("cells", ':', 3);
      CellRun run{parts[0], parts.size() > 1 ? parts[1] : 1, parts.size() > 2 ? parts[2] : 1};
      if (run.count == 1) run.stride = 1;
      const bool counts = run.count >= 1 && run.stride != 0 && run.stride != INT64_MIN;
      if (!counts) line.fail("a run has a count from 1 and a stride other than 0");
      std::int64_t last = 0;
      const bool fits = !__builtin_mul_overflow(run.count - 1, run.stride, &last) &&
                        !__builtin_add_overflow(last, run.first, &last);
      if (!fits || std::min(run.first, last) < 0 || std::max(run.first, last) >= cells) {
        line.fail("cells from " + std::to_string(run.first) + " are not from 0 to " +
                  std::to_string(cells - 1));
      }
      own(line, run.count);
      runs.push_back(run);
    }
    if (!target.cells.emplace(rank, std::move(runs)).second) {
      line.fail("this rank has cells already");
    }
  }

  void readBundle(PatternLine& line) {
    countDefinition(line);
    bundle_ = pattern_.schema.addBundle(line.text("name"));
  }

  void readDimension(PatternLine& line) {
    countDefinition(line);
    const std::string name = line.text("name");
    pattern_.schema.addDimension(bundle_, name, line.number("length", BIO_UNLIMITED, bytesMax));
  }

  void readVariable(PatternLine& line) {
    countDefinition(line);
    const std::string name = line.text("name");
    const auto bundles = static_cast<std::int64_t>(pattern_.schema.bundles().size());
    bundle_ = static_cast<int>(line.number("bundle", 0, bundles - 1));
    const Type type = line.type();
    const auto known = static_cast<std::int64_t>(shapes_.size());
    const auto its = static_cast<int>(line.number("decomposition", -1, known - 1));
    const auto& there = pattern_.schema.bundles()[static_cast<std::size_t>(bundle_)].dimensions;
    std::vector<int> dimensions;
    Extent lengths;
    if (line.left() > static_cast<std::size_t>(dimensionsMax)) line.fail("too many dimensions");
    while (line.hasMore()) {
      const auto last = static_cast<std::int64_t>(there.size()) - 1;
      dimensions.push_back(static_cast<int>(line.number("dimension", 0, last)));
      lengths.push_back(there[static_cast<std::size_t>(dimensions.back())].length);
    }
    checkProduct(line, lengths, static_cast<std::int64_t>(bytesOf(type)));
    variable_ =
        pattern_.schema.addVariable(bundle_, name, type, std::move(dimensions),
                                    its < 0 ? nullptr : shapes_[static_cast<std::size_t>(its)]);
    pattern_.decomposition.push_back(its);
    stepBytes_ += pattern_.schema.variable(variable_).bytes();
    if (stepBytes_ > bytesMax)
      line.fail("a step has more than " + std::to_string(bytesMax) + " bytes");
  }

  // Only the length is known: text becomes as long a text, numbers become 0.
  void readAttribute(PatternLine& line) {
    countDefinition(line);
    if (part_ != Part::bundles && part_ != Part::variables) line.fail("an attribute of nothing");
    const std::string name = line.text("name");
    const Type type = line.type();
    const auto size = static_cast<std::int64_t>(bytesOf(type));
    const std::int64_t count =
        line.number("count", 0, (attributeBytesMax - attributeBytes_) / size);
    attributeBytes_ += count * size;
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * size));
    if (type == BIO_TEXT) std::fill(bytes.begin(), bytes.end(), std::byte{'x'});
    if (name == "_FillValue" && count == 1) bytes = defaultFill(type);
    const int owner = part_ == Part::variables ? variable_ : BIO_GLOBAL;
    pattern_.schema.addAttribute(bundle_, owner, name, type, count, bytes.data());
  }

  void readPuts(PatternLine& line) {
    const auto variables = static_cast<std::int64_t>(pattern_.schema.variables().size());
    const std::byte nothing{};
    std::vector<PutRange> list;
    StepPuts puts;
    while (line.hasMore()) {
      const auto parts = line.numbers("put", ':', 3);
      if (parts.size() != 3 || parts[0] < 0 || parts[0] >= variables) {
        line.fail("a put is VARIABLE:FIRST:COUNT, of " + std::to_string(variables) + " variables");
      }
      list.push_back({static_cast<int>(parts[0]), parts[1], parts[2]});
      puts.add(pattern_.schema, list.back().variable, parts[1], parts[2], &nothing);
    }
    // Variables that a list leaves out were not due.
    puts.checkComplete(pattern_.schema, puts.variables(pattern_.schema));
    pattern_.lists.push_back(std::move(list));
    hashes_.push_back(puts.hash());
  }

  ByRank byRank(PatternLine& line, const char* what, std::int64_t most) {
    ByRank runs;
    std::int64_t left = pattern_.ranks;
    while (line.hasMore()) {
      const auto parts = line.numbers(what, '*', 2);
      const RankRun run{parts[0], parts.size() > 1 ? parts[1] : 1};
      if (run.value < 0 || run.value > most) {
        line.fail(std::string(what) + " " + std::to_string(run.value) + " is not from 0 to " +
                  std::to_string(most));
      }
      if (run.ranks < 1 || run.ranks > left) break;
      left -= run.ranks;
      runs.push_back(run);
    }
    if (left != 0 || line.hasMore()) {
      line.fail("not one " + std::string(what) + " for each of " + std::to_string(pattern_.ranks) +
                " ranks");
    }
    return runs;
  }

  void readGap(PatternLine& line) { gaps_ = byRank(line, "gap", microsecondsMax); }

  ByRank takenGaps() {
    ByRank gaps;
    gaps.swap(gaps_);
    return gaps.empty() ? ByRank{{0, pattern_.ranks}} : gaps;
  }

  void readStep(PatternLine& line) {
    const std::int64_t taken = line.number("microseconds", 0, microsecondsMax);
    const auto known = static_cast<std::int64_t>(pattern_.lists.size());
    ByRank lists = byRank(line, "list of puts", known - 1);
    for (const RankRun& run : lists) {
      const auto first = static_cast<std::size_t>(lists.front().value);
      if (hashes_[static_cast<std::size_t>(run.value)] != hashes_[first]) {
        line.fail("ranks put different level ranges");
      }
    }
    pattern_.steps.push_back({takenGaps(), taken, std::move(lists), {}});
  }

  void readWait(PatternLine& line) {
    if (pattern_.steps.empty()) line.fail("a wait for no step");
    const std::int64_t taken = line.number("microseconds", 0, microsecondsMax);
    pattern_.steps.back().waits.push_back({valueAt(takenGaps(), 0), taken});
  }

  void readEnd(PatternLine& line) {
    const auto steps = static_cast<std::int64_t>(pattern_.steps.size());
    if (steps == 0) line.fail("the file holds no step");
    if (line.number("number of steps", 0, INT64_MAX) != steps) {
      line.fail("there are " + std::to_string(steps) + " steps above");
    }
    ended_ = true;
  }

  std::string name_;
  std::string_view rest_;
  std::int64_t line_ = 0;
  Part part_ = Part::decompositions;
  bool ended_ = false;
  int bundle_ = -1;
  int variable_ = -1;
  std::int64_t definitions_ = 0;
  std::int64_t stepBytes_ = 0;
  std::int64_t attributeBytes_ = 0;
  std::optional<DecompositionPattern> decomposition_;
  std::int64_t unowned_ = 0;  // cells of it
  std::vector<std::shared_ptr<const Decomposition>> shapes_;
  std::vector<std::uint64_t> hashes_;  // of the put lists, without their order
  ByRank gaps_;                        // before the next step or wait
  Pattern pattern_;
};

const std::array<PatternParser::Kind, 12> PatternParser::kinds{
    {{"decomposition", Part::decompositions, &PatternParser::readDecomposition},
     {"box", Part::decompositions, &PatternParser::readBox},
     {"cells", Part::decompositions, &PatternParser::readCells},
     {"bundle", Part::bundles, &PatternParser::readBundle},
     {"dimension", Part::bundles, &PatternParser::readDimension},
     {"variable", Part::variables, &PatternParser::readVariable},
     {"attribute", Part::any, &PatternParser::readAttribute},
     {"puts", Part::steps, &PatternParser::readPuts},
     {"gap", Part::steps, &PatternParser::readGap},
     {"step", Part::steps, &PatternParser::readStep},
     {"wait", Part::steps, &PatternParser::readWait},
     {"end", Part::steps, &PatternParser::readEnd}}};

}  // namespace

Pattern parsePattern(const std::string& name, const std::string& text) {
  return PatternParser(name, text).parse();
}

Pattern readPattern(const Communicator& comm, const std::string& path) {
  std::string text;
  comm.agreeOnRoot([&] {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    if (error) throw systemFailure(error.value(), "read " + path);
    if (bytes > patternBytesMax) throw Failure(BIO_BAD_ARGUMENT, path + " is larger than 1 GiB");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw systemFailure(errno == 0 ? EIO : errno, "read " + path);
    std::ostringstream all;
    all << in.rdbuf();
    text = all.str();
    if (!in.good() && text.size() != bytes) throw systemFailure(EIO, "read " + path);
  });
  return parsePattern(path, comm.broadcast(std::move(text), 0));
}

}  // namespace bundleio
