#include "guard/checksums.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <locale>
#include <sstream>

#include "guard/crc32c.hpp"
#include "guard/sum_text.hpp"
#include "guard/value_sums.hpp"
#include "model/layout.hpp"
#include "model/whole_file.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr const char* header = "bundleio-checksums 1 ";

std::string byteOrder() {
  const std::uint16_t one = 1;
  return *reinterpret_cast<const unsigned char*>(&one) == 1 ? "little" : "big";
}

std::uint32_t sumOf(const std::string& text) { return crc32c(text.data(), text.size()); }

std::string keyOf(const Schema& schema, const Variable& variable) {
  return encoded(schema.bundleOf(variable).name) + " " + encoded(variable.name);
}

// "bundle/variable" of a key, for a message.
std::string shown(const std::string& key) {
  const std::size_t blank = key.find(' ');
  return "'" + decoded(key.substr(0, blank)) + "/" + decoded(key.substr(blank + 1)) + "'";
}

std::string attributesText(std::vector<Attribute> attributes) {
  std::sort(attributes.begin(), attributes.end(),
            [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
  std::string text;
  for (const Attribute& attribute : attributes) {
    text += "attribute " + encoded(attribute.name) + " " +
            std::string(infoOf(attribute.type).name) + " " + std::to_string(attribute.count) + " " +
            sumText(crc32c(attribute.bytes.data(), attribute.bytes.size())) + "\n";
  }
  return text;
}

// Lists what every format keeps, in an order that none of them changes. A dimension without
// entries, or with one, may be an unlimited one.
std::string definitionsText(const Schema& schema, const Bundle& bundle) {
  std::vector<std::string> items;
  for (const Dimension& dimension : bundle.dimensions) {
    const std::int64_t length =
        dimension.unlimited ? 1 : std::max<std::int64_t>(1, dimension.length);
    items.push_back("dimension " + encoded(dimension.name) + " " + std::to_string(length) + "\n");
  }
  for (const int index : bundle.variables) {
    const Variable& variable = schema.variable(index);
    std::string item =
        "variable " + encoded(variable.name) + " " + std::string(infoOf(variable.type).name);
    for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
      const auto dimension = static_cast<std::size_t>(variable.dimensions[i]);
      item += " " + encoded(bundle.dimensions[dimension].name) + " " +
              std::to_string(variable.lengths[i]);
    }
    items.push_back(item + "\n" + attributesText(variable.attributes));
  }
  std::sort(items.begin(), items.end());
  std::string text = attributesText(bundle.attributes);
  for (const std::string& item : items) text += item;
  return text;
}

// Names the entries of a variable that a section has.
std::string placeOf(const Schema& schema, const Variable& variable, std::size_t section) {
  if (variable.lengths.empty()) return "";
  const Sections sections = Sections::of(variable);
  const auto number = static_cast<std::int64_t>(section);
  const auto nameOf = [&](std::size_t dim) {
    return schema.bundleOf(variable)
        .dimensions[static_cast<std::size_t>(variable.dimensions[dim])]
        .name;
  };
  const std::int64_t first = number % sections.runs * sections.entries;
  const std::int64_t last =
      std::min(first + sections.entries, variable.lengths[sections.dimension]) - 1;
  std::string text = ": " + nameOf(sections.dimension) + " " + std::to_string(first) + " to " +
                     std::to_string(last);
  std::int64_t slice = number / sections.runs;
  for (std::size_t dim = sections.dimension; dim-- > 0;) {
    text += " of " + nameOf(dim) + " " + std::to_string(slice % variable.lengths[dim]);
    slice /= variable.lengths[dim];
  }
  return text;
}

}  // namespace

Checksums::Checksums(const Schema& schema, const ValueSums& sums) {
  for (const Bundle& bundle : schema.bundles()) {
    definitions_[bundle.name] = sumOf(definitionsText(schema, bundle));
    for (const int index : bundle.variables) {
      values_[keyOf(schema, schema.variable(index))] = sums.of(index);
    }
  }
}

std::string Checksums::text() const {
  std::string text = header + byteOrder() + "\n";
  for (const auto& [bundle, sum] : definitions_) {
    text += "definitions " + encoded(bundle) + " " + sumText(sum) + "\n";
  }
  for (const auto& [key, sums] : values_) {
    text += "variable " + key;
    for (const std::uint32_t sum : sums) text += " " + sumText(sum);
    text += "\n";
  }
  return withEnd(text);
}

void Checksums::write(const fs::path& folder) const {
  const fs::path path = folder / checksumsName;
  std::ofstream out(path, std::ios::binary);
  out << text();
  out.close();
  if (!out) throw systemFailure(errno, "write " + path.string());
}

std::optional<Checksums> Checksums::read(const fs::path& folder) {
  const fs::path path = folder / checksumsName;
  const auto text = wholeFileIfThere(path);
  if (!text) return std::nullopt;
  return parse(*text, path.string());
}

Checksums Checksums::parse(const std::string& text, const std::string& where) {
  try {
    return Checksums(text);
  } catch (const Failure& failure) {
    throw Failure(BIO_FORMAT, where + ": " + failure.what());
  }
}

Checksums::Checksums(const std::string& text) {
  std::istringstream lines(withoutEnd(text, "the checksums"));
  std::string line;
  std::getline(lines, line);
  if (line.rfind(header, 0) != 0) {
    throw Failure(BIO_FORMAT, "the first line is '" + line + "': another version wrote it");
  }
  if (line != header + byteOrder()) {
    throw Failure(BIO_FORMAT,
                  "written on a machine of another byte order, whose sums mean nothing "
                  "here");
  }
  while (std::getline(lines, line)) readLine(line);
}

void Checksums::readLine(const std::string& line) {
  std::istringstream words(line);
  words.imbue(std::locale::classic());
  std::string kind;
  std::string name;
  std::string word;
  words >> kind >> name;
  if (kind == "definitions") {
    words >> word;
    definitions_[decoded(name)] = sumIn(word);
  } else if (kind == "variable") {
    words >> word;
    Sums& sums = values_[name + " " + word];
    while (words >> word) sums.push_back(sumIn(word));
  } else if (kind == "file") {
    std::uint64_t bytes = 0;
    words >> bytes >> word;
    files_[decoded(name)] = {bytes, sumIn(word)};
  } else {
    throw Failure(BIO_FORMAT, "unknown line '" + line + "'");
  }
}

void Checksums::checkFiles(const fs::path& folder) const {
  for (const auto& [name, facts] : files_) {
    const std::string all = wholeFile(folder / name);
    if (all.size() == facts.bytes && sumOf(all) == facts.sum) continue;
    throw Failure(BIO_FORMAT,
                  (folder / name).string() + " is damaged: it is not as it was written");
  }
}

void Checksums::checkDefinitions(const Schema& schema) const {
  if (schema.bundles().size() != definitions_.size()) {
    throw Failure(BIO_FORMAT, "damaged: there are " + std::to_string(schema.bundles().size()) +
                                  " bundles, but checksums of " +
                                  std::to_string(definitions_.size()));
  }
  for (const Bundle& bundle : schema.bundles()) {
    const auto found = definitions_.find(bundle.name);
    if (found != definitions_.end() && found->second == sumOf(definitionsText(schema, bundle))) {
      continue;
    }
    throw Failure(BIO_FORMAT, "bundle '" + bundle.name +
                                  "' is damaged: its names, types, shapes or attributes are not "
                                  "those that were defined");
  }
}

void Checksums::checkValues(const Schema& schema, const ValueSums& sums) const {
  for (std::size_t index = 0; index < schema.variables().size(); ++index) {
    checkValues(schema, sums, static_cast<int>(index));
  }
}

void Checksums::checkValues(const Schema& schema, const ValueSums& sums, int index) const {
  const Variable& variable = schema.variable(index);
  const std::string key = keyOf(schema, variable);
  const auto found = values_.find(key);
  const Sums here = sums.of(index);
  if (found == values_.end() || found->second.size() != here.size()) {
    throw Failure(BIO_FORMAT, "damaged: the checksums do not fit the shape of " + shown(key));
  }
  const auto differ = std::mismatch(here.begin(), here.end(), found->second.begin());
  if (differ.first == here.end()) return;
  throw Failure(BIO_FORMAT, "values of " + shown(key) + " are damaged" +
                                placeOf(schema, variable,
                                        static_cast<std::size_t>(differ.first - here.begin())));
}

bool Checksums::hasEqualValues(const Checksums& other, const Schema& schema, int index) const {
  const std::string key = keyOf(schema, schema.variable(index));
  const auto mine = values_.find(key);
  const auto theirs = other.values_.find(key);
  return mine != values_.end() && theirs != other.values_.end() && mine->second == theirs->second;
}

void Checksums::checkEqualValues(const Checksums& other) const {
  for (const auto& [key, sums] : values_) {
    const auto found = other.values_.find(key);
    if (found != other.values_.end() && found->second == sums) continue;
    throw Failure(BIO_FORMAT, "values of " + shown(key) + " are damaged");
  }
}

}  // namespace bundleio
