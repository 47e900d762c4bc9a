// The contents of a file, numbered as PIO numbers them: for inquiries, of files that are read or
// written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bundleio_pio {

struct Contents {
  struct Dimension {
    std::string name;
    int64_t length;  // of an unlimited one the frames that are on the disk
    bool isUnlimited;
  };
  struct Attribute {
    std::string name;
    int pioType;
    int64_t count;
    std::vector<char> values;
  };
  struct Variable {
    std::string name;
    int pioType;
    std::vector<int> dimensions;
    std::vector<Attribute> attributes;
  };

  std::vector<Dimension> dimensions;
  std::vector<Variable> variables;
  std::vector<Attribute> attributes;  // of the file

  /// These throw what PIO returns for a number or a name that is not there.
  const Dimension& dimension(int id) const;
  int dimensionNamed(const std::string& name) const;
  int unlimited() const;  // -1: none
  const Variable& variable(int id) const;
  int variableNamed(const std::string& name) const;
  /// It has an entry for each frame.
  bool grows(int variable) const;
  /// `variable` may be PIO_GLOBAL.
  const std::vector<Attribute>& attributesOf(int variable) const;
  const Attribute& attribute(int variable, const std::string& name) const;
};

}  // namespace bundleio_pio
