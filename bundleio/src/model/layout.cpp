#include "model/layout.hpp"

#include <algorithm>
#include <charconv>
#include <locale>
#include <map>
#include <memory>
#include <sstream>

namespace bundleio {

namespace {

constexpr const char* header = "bundleio-layout 1";
// Own: as many dimensions as a NetCDF variable may have.
constexpr std::size_t dimensionsMax = 1024;

std::string hex(const std::vector<std::byte>& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text = "x";
  for (const std::byte value : bytes) {
    text += digits[std::to_integer<unsigned>(value) >> 4U];
    text += digits[std::to_integer<unsigned>(value) & 15U];
  }
  return text;
}

// The byte that two digits at `at` write.
unsigned char byteOfHex(const std::string& text, std::size_t at) {
  unsigned value = 0;
  const char* end = text.data() + std::min(text.size(), at + 2);
  const auto [last, error] = std::from_chars(text.data() + at, end, value, 16);
  if (error != std::errc() || last != text.data() + at + 2) {
    throw Failure(BIO_FORMAT, "'" + text + "' has no two hexadecimal digits at letter " +
                                  std::to_string(at + 1));
  }
  return static_cast<unsigned char>(value);
}

std::vector<std::byte> bytesOfHex(const std::string& text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 1; i < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(byteOfHex(text, i)));
  }
  return bytes;
}

// Attributes stand in hexadecimal, so that NaN and text of any kind survive.
void writeAttributes(std::ostream& out, const std::vector<Attribute>& attributes) {
  for (const Attribute& attribute : attributes) {
    out << "attribute " << encoded(attribute.name) << ' ' << infoOf(attribute.type).name << ' '
        << attribute.count << ' ' << hex(attribute.bytes) << '\n';
  }
}

void writeExtent(std::ostream& out, const Extent& extent) {
  for (const std::int64_t value : extent) out << ' ' << value;
}

// Bundles with what is in them. Decompositions are numbered as in `used`; what has none of these is
// rank 0's.
void writeDefinitions(std::ostream& out, const Schema& schema,
                      const std::vector<const Decomposition*>& used) {
  std::map<const Decomposition*, std::size_t> numbers;
  for (std::size_t i = 0; i < used.size(); ++i) numbers[used[i]] = i;
  for (const Bundle& bundle : schema.bundles()) {
    out << "bundle " << encoded(bundle.name) << '\n';
    writeAttributes(out, bundle.attributes);
    for (const Dimension& dimension : bundle.dimensions) {
      out << "dimension " << encoded(dimension.name) << ' '
          << (dimension.unlimited ? BIO_UNLIMITED : dimension.length) << '\n';
    }
    for (const int index : bundle.variables) {
      const Variable& variable = schema.variable(index);
      const auto found = numbers.find(variable.decomposition.get());
      out << "variable " << encoded(variable.name) << ' ' << infoOf(variable.type).name << ' '
          << (found == numbers.end() ? -1 : static_cast<int>(found->second)) << ' '
          << variable.dimensions.size();
      for (const int dimension : variable.dimensions) out << ' ' << dimension;
      out << '\n';
      writeAttributes(out, variable.attributes);
    }
  }
}

class LayoutReader {
 public:
  LayoutReader(const std::string& text, int rank) : in_(text), rank_(rank), schema_(0, rank) {}

  Layout read() {
    std::string line;
    if (!std::getline(in_, line) || line != header) {
      throw Failure(BIO_FORMAT, "a layout starts with '" + std::string(header) + "'");
    }
    for (int number = 2; std::getline(in_, line); ++number) {
      try {
        readLine(line);
      } catch (const Failure& failure) {
        throw Failure(BIO_FORMAT, "layout, line " + std::to_string(number) + ": " + failure.what());
      }
    }
    if (ranks_ < 0) throw Failure(BIO_FORMAT, "a layout names the number of its ranks");
    return {std::move(schema_), ranks_};
  }

 private:
  void readLine(const std::string& line) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string kind;
    words >> kind;
    if (kind != "ranks" && ranks_ < 0) {
      throw Failure(BIO_FORMAT, "the number of ranks stands before all else");
    }
    if (kind == "ranks") {
      readRanks(words);
    } else if (kind == "decomposition") {
      readDecomposition(words);
    } else if (kind == "bundle") {
      bundle_ = schema_.addBundle(name(words));
      variable_ = BIO_GLOBAL;
    } else if (kind == "dimension") {
      const std::string called = name(words);
      std::int64_t length = 0;
      words >> length;
      schema_.addDimension(bundle_, called, length);
    } else if (kind == "variable") {
      readVariable(words);
    } else if (kind == "attribute") {
      readAttribute(words);
    } else {
      throw Failure(BIO_FORMAT, "unknown line '" + line + "'");
    }
    if (words.fail()) throw Failure(BIO_FORMAT, "incomplete line '" + line + "'");
  }

  // Variables and decompositions hold for as many ranks as there were when they were read.
  void readRanks(std::istream& words) {
    int ranks = -1;
    words >> ranks;
    if (ranks < 0 || ranks_ >= 0) {
      throw Failure(BIO_FORMAT, "one line names the number of its ranks");
    }
    ranks_ = ranks;
    schema_ = Schema(std::max(ranks_, 1), rank_);
  }

  static std::string name(std::istream& words) {
    std::string text;
    words >> text;
    return decoded(text);
  }

  static Extent extent(std::istream& words, std::size_t count) {
    if (!words || count > dimensionsMax)
      throw Failure(BIO_FORMAT, "too few words, or too many dimensions");
    Extent values(count);
    for (std::int64_t& value : values) words >> value;
    return values;
  }

  void readDecomposition(std::istream& words) {
    std::size_t dims = 0;
    words >> dims;
    Extent lengths = extent(words, dims);
    std::vector<Block> blocks;
    for (int i = 0; i < ranks_; ++i) {
      Block block;
      block.start = extent(words, dims);
      block.count = extent(words, dims);
      blocks.push_back(std::move(block));
    }
    decompositions_.push_back(std::make_shared<const Decomposition>(
        Decomposition::fromBlocks(std::move(lengths), std::move(blocks), rank_)));
  }

  void readVariable(std::istream& words) {
    const std::string called = name(words);
    std::string type;
    int decomposition = 0;
    std::size_t dims = 0;
    words >> type >> decomposition >> dims;
    std::vector<int> dimensions;
    for (const std::int64_t value : extent(words, dims))
      dimensions.push_back(static_cast<int>(value));
    const auto index = static_cast<std::size_t>(decomposition);
    if (decomposition >= 0 && index >= decompositions_.size()) {
      throw Failure(BIO_FORMAT, "variable '" + called + "' has no decomposition");
    }
    variable_ = schema_.addVariable(bundle_, called, typeNamed(type), std::move(dimensions),
                                    decomposition < 0 ? nullptr : decompositions_[index]);
  }

  void readAttribute(std::istream& words) {
    const std::string called = name(words);
    std::string type;
    std::int64_t count = 0;
    std::string bytes;
    words >> type >> count >> bytes;
    const std::vector<std::byte> values = bytesOfHex(bytes);
    const std::size_t each = bytesOf(typeNamed(type));
    if (count < 0 || values.size() % each != 0 ||
        values.size() / each != static_cast<std::size_t>(count)) {
      throw Failure(BIO_FORMAT, "attribute '" + called + "' is cut off");
    }
    schema_.addAttribute(bundle_, variable_, called, typeNamed(type), count, values.data());
  }

  std::istringstream in_;
  int rank_;
  int ranks_ = -1;
  int bundle_ = -1;
  int variable_ = BIO_GLOBAL;
  Schema schema_;
  std::vector<std::shared_ptr<const Decomposition>> decompositions_;
};

}  // namespace

std::string encoded(const std::string& name) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string text;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') || letter == '.' || letter == '_' ||
                       letter == '-';
    if (plain) {
      text += letter;
    } else {
      text += '%';
      text += digits[byte >> 4U];
      text += digits[byte & 15U];
    }
  }
  return text;
}

std::string decoded(const std::string& text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      name += static_cast<char>(byteOfHex(text, i + 1));
      i += 2;
    } else {
      name += text[i];
    }
  }
  return name;
}

std::string layoutText(const Schema& schema, int ranks) {
  std::ostringstream out;
  // An application's locale may group digits.
  out.imbue(std::locale::classic());
  out << header << "\nranks " << ranks << '\n';
  const std::vector<const Decomposition*> used = schema.decompositions();
  for (const Decomposition* decomposition : used) {
    out << "decomposition " << decomposition->lengths().size();
    writeExtent(out, decomposition->lengths());
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
      writeExtent(out, decomposition->blocks()[rank].start);
      writeExtent(out, decomposition->blocks()[rank].count);
    }
    out << '\n';
  }
  writeDefinitions(out, schema, used);
  return out.str();
}

std::string storedText(const Schema& schema) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  writeDefinitions(out, schema, {});
  return out.str();
}

std::string comparedText(const Schema& schema) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  const std::vector<const Decomposition*> used = schema.decompositions();
  for (const Decomposition* decomposition : used) {
    out << "decomposition of lengths";
    writeExtent(out, decomposition->lengths());
    out << ", owners " << std::hex << decomposition->fingerprint() << std::dec << '\n';
  }
  writeDefinitions(out, schema, used);
  for (const Variable& variable : schema.variables()) {
    if (variable.every == 1) continue;
    out << "variable " << encoded(schema.bundleOf(variable).name) << '/' << encoded(variable.name)
        << ' ' << variable.dueText() << '\n';
  }
  return out.str();
}

std::string firstDifference(const std::string& mine, const std::string& roots) {
  std::istringstream a(mine);
  std::istringstream b(roots);
  std::string here;
  std::string there;
  while (true) {
    const bool more = static_cast<bool>(std::getline(a, here));
    const bool rootMore = static_cast<bool>(std::getline(b, there));
    if (!more) here = "nothing";
    if (!rootMore) there = "nothing";
    if (here != there || (!more && !rootMore)) return "'" + here + "', but rank 0 '" + there + "'";
  }
}

Layout parseLayout(const std::string& text, int rank) { return LayoutReader(text, rank).read(); }

// FNV-1a, 64 bits.
std::uint64_t hashOf(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  return hash;
}

}  // namespace bundleio
