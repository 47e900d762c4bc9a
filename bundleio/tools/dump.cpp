// bundleio dump: what a step holds, in the manner of ncdump -h, for every format.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

#include "checksum.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "model/parts.hpp"
#include "plain_text.hpp"
#include "readers/reader.hpp"
#include "readers/slab.hpp"
#include "run_steps.hpp"
#include "step/trial.hpp"

namespace bundleio {

namespace {

constexpr std::size_t readBytesMax = 2 << 20;

// So many digits that the same value comes back.
template <class T>
std::string digitsOf(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", std::numeric_limits<T>::max_digits10,
                  static_cast<double>(value));
    return text;
  } else {
    return std::to_string(value);
  }
}

std::string valueText(const Attribute& attribute) {
  if (attribute.type == BIO_TEXT) {
    std::string text;
    for (const std::byte letter : attribute.bytes) text += static_cast<char>(letter);
    return "\"" + escaped(text) + "\"";
  }
  return withType(attribute.type, [&](auto sample) {
    std::string text;
    for (std::int64_t i = 0; i < attribute.count; ++i) {
      decltype(sample) value{};
      std::memcpy(&value, &attribute.bytes[static_cast<std::size_t>(i) * sizeof value],
                  sizeof value);
      text += (i == 0 ? "" : ", ") + digitsOf(value);
    }
    return text;
  });
}

void printAttributes(const std::vector<Attribute>& attributes, const char* indent) {
  for (const Attribute& attribute : attributes) {
    std::printf("%s%s = %s\n", indent, escaped(attribute.name).c_str(),
                valueText(attribute).c_str());
  }
}

// Part by part: a variable may be larger than what memory is left.
std::uint64_t checksumOf(Reader& reader, int index) {
  const Extent& lengths = reader.schema().variable(index).lengths;
  Checksum sum;
  std::vector<std::byte> values;
  for (const Part& part : partsOf(reader.schema(), index, {Extent(lengths.size(), 0), lengths},
                                  std::max(readBytesMax, reader.chunkBytesMax()))) {
    values.resize(partBytes(reader.schema(), part));
    reader.read(index, part.box, values.data());
    sum.add(values.data(), values.size());
  }
  return sum.value();
}

void printVariable(Reader& reader, int index) {
  const Variable& variable = reader.schema().variable(index);
  const Bundle& bundle = reader.schema().bundleOf(variable);
  std::string dimensions;
  for (const int dimension : variable.dimensions) {
    dimensions += (dimensions.empty() ? "" : ", ") +
                  bundle.dimensions[static_cast<std::size_t>(dimension)].name;
  }
  std::printf("  %s %s(%s)  checksum %016llx\n", infoOf(variable.type).name.data(),
              escaped(variable.name).c_str(), escaped(dimensions).c_str(),
              static_cast<unsigned long long>(checksumOf(reader, index)));
  printAttributes(variable.attributes, "    ");
}

// "1,0,3", an integer for each dimension.
Extent integersOf(const CommandLine& line, const std::string& key, const Extent& standard) {
  const std::string text = line.text(key, "");
  if (text.empty()) return standard;
  Extent values;
  bool areIntegers = true;
  for (const std::string& word : split(text, ',')) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    areIntegers = areIntegers && error == std::errc() && end == word.data() + word.size();
    values.push_back(value);
  }
  if (areIntegers && values.size() == standard.size()) return values;
  throw Failure(BIO_BAD_ARGUMENT, "--" + key + " " + text + ": the variable has " +
                                      std::to_string(standard.size()) +
                                      " dimensions: use as many integers with commas between them");
}

const Variable& variableNamed(const Schema& schema, const std::string& name) {
  std::string known;
  for (const Variable& variable : schema.variables()) {
    const std::string each = schema.bundleOf(variable).name + "/" + variable.name;
    if (each == name) return variable;
    known += (known.empty() ? "" : ", ") + each;
  }
  throw Failure(BIO_NOT_FOUND, "no variable '" + name + "': use " + known);
}

// A line for each run of the last dimension.
void printSlab(Reader& reader, const CommandLine& line) {
  const Variable& variable = variableNamed(reader.schema(), line.text("variable", ""));
  Slab slab = Slab::whole(variable);
  slab.start = integersOf(line, "start", slab.start);
  slab.stride = integersOf(line, "stride", slab.stride);
  slab.reachEnd(variable);
  slab.count = integersOf(line, "count", slab.count);
  slab.check(variable, "variable '" + variable.name + "'");
  const int index = static_cast<int>(&variable - reader.schema().variables().data());
  std::vector<std::byte> values(static_cast<std::size_t>(slab.cells()) * bytesOf(variable.type));
  readSlab(variable, slab, values.data(),
           [&](const Block& box, std::byte* target) { reader.read(index, box, target); });
  const std::int64_t row = slab.count.empty() ? 1 : slab.count.back();
  withType(variable.type, [&](auto sample) {
    for (std::int64_t cell = 0; cell < slab.cells(); ++cell) {
      std::memcpy(&sample, &values[static_cast<std::size_t>(cell) * sizeof sample], sizeof sample);
      std::printf("%s%s", digitsOf(sample).c_str(), (cell + 1) % row == 0 ? "\n" : " ");
    }
  });
}

}  // namespace

void dump(const Communicator& comm, const CommandLine& line) {
  comm.agreeOnRoot([&] {
    const RunFolder run(line.operands()[0]);
    const auto steps = stepsOf(run);
    const std::int64_t number = line.number("step", steps.back(), 0, INT64_MAX);
    tryStep(run.step(number));
    const auto reader = Reader::open(run.step(number));
    if (!line.text("variable", "").empty()) return printSlab(*reader, line);
    std::printf("%s: %s, %zu complete steps\n", run.step(number).c_str(), reader->format(),
                steps.size());
    for (const Bundle& bundle : reader->schema().bundles()) {
      std::printf("bundle %s\n", escaped(bundle.name).c_str());
      printAttributes(bundle.attributes, "  ");
      for (const Dimension& dimension : bundle.dimensions) {
        std::printf("  dimension %s = %lld%s\n", escaped(dimension.name).c_str(),
                    static_cast<long long>(dimension.length), dimension.unlimited ? " so far" : "");
      }
      for (const int index : bundle.variables) printVariable(*reader, index);
    }
  });
}

}  // namespace bundleio
