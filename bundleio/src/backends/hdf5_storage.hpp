// Where HDF5 keeps values in a file.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "exchange/step.hpp"
#include "guard/written.hpp"

namespace bundleio {

/// An identifier of HDF5, closed with the object.
class Hdf5Handle {
 public:
  /// Throws BIO_FORMAT, with what HDF5 cannot do, for an identifier that is none.
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what);
  ~Hdf5Handle() { close_(id_); }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  [[nodiscard]] hid_t id() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// For each chunk of a dataset from `first` to `end` in its first dimension.
void forChunks(const std::vector<hsize_t>& lengths, const std::vector<hsize_t>& chunk,
               hsize_t first, hsize_t end,
               const std::function<void(const std::vector<hsize_t>& place)>& take);

/// Where in the file of a bundle the values lie that a step wrote there, but those in datasets of
/// so many chunks that asking for each would take too long. Local; no process may be writing.
std::vector<FileRange> storedRanges(const std::filesystem::path& file, const Step& step,
                                    const Bundle& bundle);

}  // namespace bundleio
