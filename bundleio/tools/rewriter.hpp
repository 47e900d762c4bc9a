// Writes steps again through another back end: every rank reads its part of every variable, puts
// it, and, once the step is there, reads its part back and compares.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "file.hpp"
#include "readers/reader.hpp"

namespace bundleio {

class Rewriter {
 public:
  Rewriter(const Communicator& comm, File& file) : comm_(comm), file_(file) {}

  /// Defines in the file what `source` holds; whole variables are divided among the ranks.
  /// Collective.
  void define(const Schema& source);
  /// Collective.
  void writeStep(Reader& source);
  /// Compares the step that was written last, as `written` reads it, with the source's values.
  /// Throws BIO_MISMATCH on all ranks. Collective.
  void verify(const Reader& source, Reader& written);

 private:
  void readOwn(Reader& reader, int index, int target, std::vector<std::byte>& values) const;

  const Communicator& comm_;
  File& file_;
  std::map<Extent, std::shared_ptr<const Decomposition>> decompositions_;
  std::vector<std::pair<int, int>> copies_;     // source and target variable
  std::vector<std::vector<std::byte>> values_;  // of the last step, as the source has them
};

}  // namespace bundleio
