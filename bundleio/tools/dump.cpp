// bundleio dump: what a step holds, in the manner of ncdump -h, for every format.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "checksum.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "model/parts.hpp"
#include "readers/reader.hpp"
#include "run_steps.hpp"

namespace bundleio {

namespace {

constexpr std::size_t readBytesMax = 2 << 20;

std::string valueText(const Attribute& attribute) {
  if (attribute.type == BIO_TEXT) {
    std::string text = "\"";
    for (const std::byte letter : attribute.bytes) text += static_cast<char>(letter);
    return text + "\"";
  }
  return withType(attribute.type, [&](auto sample) {
    std::string text;
    for (std::int64_t i = 0; i < attribute.count; ++i) {
      decltype(sample) value{};
      std::memcpy(&value, &attribute.bytes[static_cast<std::size_t>(i) * sizeof value],
                  sizeof value);
      text += (i == 0 ? "" : ", ") + std::to_string(value);
    }
    return text;
  });
}

void printAttributes(const std::vector<Attribute>& attributes, const char* indent) {
  for (const Attribute& attribute : attributes) {
    std::printf("%s%s = %s\n", indent, attribute.name.c_str(), valueText(attribute).c_str());
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
              variable.name.c_str(), dimensions.c_str(),
              static_cast<unsigned long long>(checksumOf(reader, index)));
  printAttributes(variable.attributes, "    ");
}

}  // namespace

void dump(const Communicator& comm, const CommandLine& line) {
  comm.agreeOnRoot([&] {
    const RunFolder run(line.operands()[0]);
    const auto steps = stepsOf(run);
    const std::int64_t number = line.number("step", steps.back(), 0, INT64_MAX);
    const auto reader = Reader::open(run.step(number));
    std::printf("%s: %s, %zu complete steps\n", run.step(number).c_str(), reader->format(),
                steps.size());
    for (const Bundle& bundle : reader->schema().bundles()) {
      std::printf("bundle %s\n", bundle.name.c_str());
      printAttributes(bundle.attributes, "  ");
      for (const Dimension& dimension : bundle.dimensions) {
        std::printf("  dimension %s = %lld%s\n", dimension.name.c_str(),
                    static_cast<long long>(dimension.length), dimension.unlimited ? " so far" : "");
      }
      for (const int index : bundle.variables) printVariable(*reader, index);
    }
  });
}

}  // namespace bundleio
