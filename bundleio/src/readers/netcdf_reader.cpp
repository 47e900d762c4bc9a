// NetCDF files of any kind, one per bundle, as each rank's own serial readers.
#include <netcdf.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "backends/classic_header.hpp"
#include "backends/netcdf_format.hpp"
#include "guard/file_locks.hpp"
#include "model/layout.hpp"
#include "readers/readers.hpp"

namespace bundleio {

namespace {

// The library's own two pages would make a call of the kernel for each 8 KiB.
constexpr std::size_t readBytes = 256 << 10;
// Own: what is kept unpacked. netCDF-C would keep ten chunks, at most 64 MiB, of every variable
// until its file is closed.
constexpr std::size_t unpackedBytesMax = 64 << 20;
constexpr std::size_t slotsOfCache = 1009;  // HDF5 wants a prime number
constexpr float netcdfPreemption = 0.75F;   // netCDF-C's default

// The system's error, or 0 where the file is at fault: one that could not be read need not be
// damaged. Codes of the library's own stand for many causes, but leave a disk's error in errno.
int systemsError(int code) {
  const int told = code > 0 ? code : errno;
  for (const int ofDisk : {EIO, ESTALE, ETIMEDOUT, EREMOTEIO}) {
    if (told == ofDisk) return told;
  }
  for (const int ofProcess : {EACCES, EMFILE, ENFILE, ENOMEM}) {
    if (code == ofProcess) return code;
  }
  return 0;
}

// Open as long as the object lives: also where a reader is not made, since another file is damaged.
class OpenFile {
 public:
  explicit OpenFile(int id) : id_(id) {}
  ~OpenFile() {
    if (id_ >= 0) nc_close(id_);
  }
  OpenFile(OpenFile&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  [[nodiscard]] int id() const { return id_; }

 private:
  int id_;
};

class NetcdfReader final : public Reader {
 public:
  explicit NetcdfReader(const StepPlace& place) : record_(place.record) {
    for (const auto& entry : std::filesystem::directory_iterator(place.folder)) {
      if (entry.path().extension() == ".nc") paths_.push_back(entry.path());
    }
    if (paths_.empty())
      throw Failure(BIO_FORMAT, place.folder.string() + " holds no step of bundleio");
    std::sort(paths_.begin(), paths_.end());
    for (const auto& path : paths_) openBundle(path);
  }

  [[nodiscard]] const char* format() const override { return format_; }
  [[nodiscard]] std::size_t chunkBytesMax() const override { return chunkBytesMax_; }

  void read(int index, const Block& box, std::byte* values) override {
    const Variable& variable = schema_.variable(index);
    std::vector<std::size_t> start(box.start.begin(), box.start.end());
    if (record_ > 0 && schema_.bundleOf(variable).isUnlimited(variable)) {
      start[0] += static_cast<std::size_t>(record_);
    }
    const std::vector<std::size_t> count(box.count.begin(), box.count.end());
    if (box.cells() == 0) return;
    keepUnpacked(index);
    errno = 0;
    check(variable.bundle,
          nc_get_vara(files_[static_cast<std::size_t>(variable.bundle)].id(),
                      ids_[static_cast<std::size_t>(index)], start.data(), count.data(), values),
          "read variable '" + variable.name + "' of");
  }

 private:
  void check(int bundle, int code, const std::string& what) const {
    if (code == NC_NOERR) return;
    const std::string path = paths_[static_cast<std::size_t>(bundle)].string();
    const int told = systemsError(code);
    if (told != 0) throw systemFailure(told, what + " " + path);
    throw Failure(BIO_FORMAT, what + " " + path + ": " + nc_strerror(code));
  }

  // Chunks of one variable at a time: a new cache frees what the one before kept.
  void keepUnpacked(int index) {
    if (index == unpacked_ || layerBytes_[static_cast<std::size_t>(index)] == 0) return;
    if (unpacked_ >= 0) setCache(unpacked_, 0);
    unpacked_ = index;
    setCache(index, layerBytes_[static_cast<std::size_t>(index)]);
  }

  void setCache(int index, std::size_t bytes) {
    const int bundle = schema_.variable(index).bundle;
    check(bundle,
          nc_set_var_chunk_cache(files_[static_cast<std::size_t>(bundle)].id(),
                                 ids_[static_cast<std::size_t>(index)], bytes, slotsOfCache,
                                 netcdfPreemption),
          "read");
  }

  // Of the chunks that a plane goes through, unpacked, as far as they are kept; 0: no chunks.
  std::size_t inspectChunks(int file, int id, const Variable& variable) {
    int storage = NC_CONTIGUOUS;
    std::vector<std::size_t> sizes(std::max<std::size_t>(1, variable.lengths.size()));
    const int code = nc_inq_var_chunking(file, id, &storage, sizes.data());
    if (code != NC_NOERR || storage != NC_CHUNKED) return 0;
    std::size_t chunk = bytesOf(variable.type);
    std::size_t layer = chunk;
    for (std::size_t dim = 0; dim < variable.lengths.size(); ++dim) {
      const auto length =
          static_cast<std::size_t>(std::max<std::int64_t>(1, variable.lengths[dim]));
      chunk *= sizes[dim];
      layer *= dim + 2 < variable.lengths.size()
                   ? sizes[dim]
                   : (length + sizes[dim] - 1) / sizes[dim] * sizes[dim];
    }
    // Where a layer is not kept whole, larger parts unpack its chunks less often.
    chunkBytesMax_ =
        std::max(chunkBytesMax_,
                 layer > unpackedBytesMax ? unpackedBytesMax : std::min(chunk, unpackedBytesMax));
    return std::min(layer, unpackedBytesMax);
  }

  void openBundle(const std::filesystem::path& path) {
    const int bundle = schema_.addBundle(decoded(path.stem().string()));
    checkNotCutOff(path, record_ < 0 ? allRecords : record_ + 1);
    int file = -1;
    // A hint that the library changes.
    std::size_t bufferBytes = readBytes;
    allowWithoutFileLocks(path);
    errno = 0;
    const int code = nc__open(path.c_str(), NC_NOWRITE, &bufferBytes, &file);
    // The file may be as it should be.
    const std::string remedy = code == NC_EHDFERR ? remedyForFileLocks(path) : "";
    if (!remedy.empty()) throw Failure(BIO_IO, "open " + path.string() + ": " + remedy);
    check(bundle, code, "open");
    files_.emplace_back(file);
    int kind = 0;
    nc_inq_format(file, &kind);
    format_ = kind == NC_FORMAT_NETCDF4 ? "NetCDF-4" : "NetCDF CDF-5";
    int dimensions = 0;
    int variables = 0;
    int attributes = 0;
    check(bundle, nc_inq(file, &dimensions, &variables, &attributes, nullptr), "inspect");
    int unlimitedCount = 0;
    check(bundle, nc_inq_unlimdims(file, &unlimitedCount, nullptr), "inspect");
    std::vector<int> unlimited(static_cast<std::size_t>(unlimitedCount));
    check(bundle, nc_inq_unlimdims(file, &unlimitedCount, unlimited.data()), "inspect");
    readAttributes(bundle, file, NC_GLOBAL, BIO_GLOBAL, attributes);
    for (int id = 0; id < dimensions; ++id) {
      char name[NC_MAX_NAME + 1] = {};
      std::size_t length = 0;
      check(bundle, nc_inq_dim(file, id, name, &length), "inspect");
      const bool grows = std::find(unlimited.begin(), unlimited.end(), id) != unlimited.end();
      if (grows) checkHasRecord(path, length);
      // One entry: a step of a dimension that grows. None: what was defined with length 0.
      const bool isGrown = grows && (length == 1 || (length > 0 && record_ >= 0));
      schema_.addDimension(bundle, name,
                           isGrown ? BIO_UNLIMITED : static_cast<std::int64_t>(length));
    }
    for (int id = 0; id < variables; ++id) readVariable(bundle, file, id);
  }

  void checkHasRecord(const std::filesystem::path& path, std::size_t length) const {
    // Without any, it is a dimension of length zero.
    if (record_ < 0 || length == 0 || length > static_cast<std::size_t>(record_)) return;
    throw Failure(BIO_FORMAT, path.string() + " has " + std::to_string(length) +
                                  " entries instead of at least " + std::to_string(record_ + 1));
  }

  void readVariable(int bundle, int file, int id) {
    char name[NC_MAX_NAME + 1] = {};
    nc_type type = NC_NAT;
    int dimensions = 0;
    int attributes = 0;
    std::vector<int> used(NC_MAX_VAR_DIMS);
    check(bundle, nc_inq_var(file, id, name, &type, &dimensions, used.data(), &attributes),
          "inspect");
    used.resize(static_cast<std::size_t>(dimensions));
    const int made = schema_.addVariable(bundle, name, typeOfNetcdf(type), used, nullptr);
    ids_.push_back(id);
    layerBytes_.push_back(inspectChunks(file, id, schema_.variable(made)));
    readAttributes(bundle, file, id, made, attributes);
  }

  void readAttributes(int bundle, int file, int id, int variable, int count) {
    for (int number = 0; number < count; ++number) {
      char name[NC_MAX_NAME + 1] = {};
      nc_type type = NC_NAT;
      std::size_t length = 0;
      check(bundle, nc_inq_attname(file, id, number, name), "inspect");
      check(bundle, nc_inq_att(file, id, name, &type, &length), "inspect");
      std::vector<std::byte> values(length * bytesOf(typeOfNetcdf(type)));
      check(bundle, nc_get_att(file, id, name, values.data()), "inspect");
      schema_.addAttribute(bundle, variable, name, typeOfNetcdf(type),
                           static_cast<std::int64_t>(length), values.data());
    }
  }

  std::int64_t record_;  // that is read; -1: all that there is
  std::vector<std::filesystem::path> paths_;
  std::vector<OpenFile> files_;  // by bundle
  std::vector<int> ids_;         // by variable
  const char* format_ = "NetCDF";
  std::size_t chunkBytesMax_ = 0;
  std::vector<std::size_t> layerBytes_;  // by variable
  int unpacked_ = -1;                    // the variable whose chunks are kept
};

}  // namespace

std::unique_ptr<Reader> openNetcdf(const StepPlace& place) {
  return std::make_unique<NetcdfReader>(place);
}

}  // namespace bundleio
