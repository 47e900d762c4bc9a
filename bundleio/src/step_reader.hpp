// One complete step, open for a model to read: by any number of ranks and any decomposition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "communicator.hpp"
#include "readers/reader.hpp"

namespace bundleio {

/// What a model asks for. All ranks ask for the same, each for its own part of it.
struct Request {
  std::string bundle;
  std::string variable;
  int type;
  std::shared_ptr<const Decomposition> decomposition;  // null: rank 0 gets the whole variable
  std::int64_t valueCount;                             // for which `values` has room
  std::byte* values;
};

/// Files are opened and read by each rank on its own, so that no library can keep ranks waiting for
/// each other; what went wrong on one is agreed on between the reads.
class StepReader {
 public:
  /// `number` may be BIO_LAST_STEP; `options` are those that the run was written with. Collective.
  StepReader(const Communicator& comm, const std::string& path, std::int64_t number,
             const std::string& options);

  [[nodiscard]] std::int64_t number() const { return number_; }
  /// Throws BIO_NOT_FOUND with the names that there are. Local.
  [[nodiscard]] const Variable& find(const std::string& bundle, const std::string& variable) const;
  /// Copies [levels][own cells] to the values. After an error they are undefined. Collective.
  void get(const Request& request);
  /// Frees nothing yet: ranks that part here are told so. Collective.
  void close();

 private:
  [[nodiscard]] std::filesystem::path locate(const std::filesystem::path& run,
                                             const std::filesystem::path& fast,
                                             std::int64_t wanted);
  void open(const std::string& folder);
  void readBox(int index, const Block& own, std::byte* values);
  void readMap(int index, const Decomposition& decomposition, std::byte* values);

  const Communicator& comm_;
  std::int64_t number_ = 0;
  std::unique_ptr<Reader> reader_;
};

}  // namespace bundleio
