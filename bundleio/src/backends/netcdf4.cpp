// NetCDF-4 through parallel HDF5: a file per bundle, collective writes of a window each. The
// library itself makes metadata operations collective (H5Pset_all_coll_metadata_ops).
#include <netcdf.h>
#include <netcdf_filter.h>
#include <netcdf_par.h>

#include <algorithm>
#include <optional>

#include "backends/factories.hpp"
#include "backends/mpi_folder.hpp"
#include "backends/mpi_info.hpp"
#include "backends/netcdf_library.hpp"
#include "backends/shared_files.hpp"
#include "exchange/file_parts.hpp"
#include "exchange/pace.hpp"
#include "guard/file_locks.hpp"
#include "guard/open_files.hpp"
#include "guard/written.hpp"
#include "model/layout.hpp"

namespace bundleio {

namespace {

// HDF5 takes chunks below 4 GiB.
constexpr std::size_t chunkBytesMax = 1 << 30;

// HDF5 keeps with each dimension a list of the variables on it, rewrites it for each of them, and
// fails when it passes 64 KiB. Beyond this many variables netCDF alone knows the dimensions.
constexpr std::size_t listedVariablesMax = 2000;

int attaching(const Bundle& bundle) {
  return bundle.variables.size() > listedVariablesMax ? NC_NODIMSCALE_ATTACH : 0;
}

// Source: the list of filters registered with The HDF Group.
constexpr unsigned zstdFilter = 32015;

class Netcdf4Backend final : public Backend {
 public:
  explicit Netcdf4Backend(const Options& options)
      : deflate_(static_cast<int>(options.number("deflate", 0, 9))),
        zstd_(static_cast<int>(options.number("zstd", 0, 22))),
        fletcher32_(options.flag("fletcher32")),
        keepBits_(static_cast<int>(options.number("keep_bits", 0, NC_QUANTIZE_MAX_DOUBLE_NSB))),
        chunks_(options.text("chunks")),
        exchange_(options),
        windowMebibytes_(windowMebibytes(options)) {
    // Its steps may be read in this process, which is about to use HDF5.
    preferNoFileLocks();
    if (deflate_ > 0 && zstd_ > 0) {
      throw Failure(BIO_BAD_ARGUMENT, "options deflate and zstd: use one of them");
    }
    if (chunks_ != "library" && chunks_ != "plane" && chunks_ != "box") {
      throw Failure(BIO_BAD_ARGUMENT, "option chunks=" + chunks_ + ": use library, plane or box");
    }
  }

  [[nodiscard]] std::string seriesKey(const Schema& schema, const Communicator& /*comm*/,
                                      const std::filesystem::path& /*folder*/) const override {
    // The library rounds as the file was defined.
    const std::string rounded = keepBits_ > 0 ? "keep_bits " + std::to_string(keepBits_) : "";
    return "NetCDF-4 " + std::to_string(hashOf(storedText(schema) + rounded));
  }

  void create(const Step& step) override {
    files_.clear();
    step.comm.agree([&] { checkTrust(); });
    if (!groups_) groups_.emplace(step.comm, step.schema, exchange_);
    const MpiInfo hints(pacedHints(step.options, step.schema, step.comm.size()));
    step.comm.agree([&] {
      folder_.emplace(step.folder);
      checkDescriptors(step, *groups_);
    });
    FirstFailure failure(step.watchdog);
    for (int index = 0; index < bundleCount(step); ++index) {
      if (!groups_->isMember(index)) continue;
      failure.attempt([&] {
        const Bundle& bundle = step.schema.bundles()[static_cast<std::size_t>(index)];
        const auto path = bundleFile(step, bundle);
        int id = -1;
        const std::string name = folder_->forMpi(path).string();
        const int code =
            step.appends()
                ? nc_open_par(name.c_str(), NC_WRITE, groups_->comm(index), hints.handle(), &id)
                : nc_create_par(name.c_str(), NC_NETCDF4 | NC_CLOBBER | attaching(bundle),
                                groups_->comm(index), hints.handle(), &id);
        if (code != NC_NOERR) {
          throw netcdfFailure(code, nc_strerror(code), step.appends() ? "open" : "create", path);
        }
        files_.emplace(index, NetcdfFile(id, path));
      });
    }
    if (!isPacked()) claimFiles(step, *groups_, 0, failure);
    failure.raise();
  }

  void define(const Step& step) override {
    variables_.clear();
    FirstFailure failure(step.watchdog);
    for (const auto& entry : files_) {
      const Bundle& bundle = step.schema.bundles()[static_cast<std::size_t>(entry.first)];
      failure.attempt([&] {
        if (step.appends()) {
          variables_.merge(findBundle(entry.second, step.schema, bundle));
          for (const int index : bundle.variables) keepNoChunks(step.schema, index, entry.second);
        } else {
          defineFile(step.schema, bundle, entry.second);
        }
        shareWrites(step.schema, bundle, entry.second);
      });
    }
    failure.raise();
  }

  void write(const Step& step, const std::vector<Piece>& pieces) override {
    const std::int64_t bytes = windowBytes(windowMebibytes_, step.schema, step.comm.size());
    FileParts window(step, *groups_, pieces, {bytes, false});
    FirstFailure failure(step.watchdog);
    while (window.next()) {
      for (const FilePart& part : window.parts()) {
        const Variable& variable = step.schema.variable(part.variable);
        if (variable.lengths.empty() && part.bytes == 0) continue;
        if (step.isThere(variable)) continue;
        std::vector<std::size_t> start = part.slab.start;
        if (!start.empty()) start[0] += static_cast<std::size_t>(step.start(variable));
        const NetcdfFile& file = files_.at(variable.bundle);
        failure.attempt([&] {
          file.check(nc_put_vara(file.id(), variables_.at(part.variable), start.data(),
                                 part.slab.count.data(), part.values),
                     "write variable '" + variable.name + "' to");
        });
      }
    }
    failure.raise();
  }

  void close(const Step& step) override {
    FirstFailure failure(step.watchdog);
    for (auto entry = files_.begin(); entry != files_.end();) {
      const NetcdfFile& file = entry->second;
      bool isClosed = false;
      failure.attempt([&] {
        file.check(nc_close(file.id()), "close");
        isClosed = true;
      });
      entry = isClosed ? files_.erase(entry) : std::next(entry);
    }
    failure.raise();
    folder_.reset();
  }

  void verify(const Step& step) override {
    if (isPacked()) return;
    forFirstRanks(step, *groups_, [&](int index, const std::filesystem::path& path) {
      checkBytes(path, bytesBy(step, step.schema.bundles()[static_cast<std::size_t>(index)]));
    });
  }
  [[nodiscard]] Rounding rounding() const override {
    return {keepBits_, NC_QUANTIZE_BITROUND_ATT_NAME};
  }
  [[nodiscard]] bool usesMpiIo() const override { return true; }
  // Packed values have no size that is known beforehand.
  [[nodiscard]] bool isPacked() const override { return deflate_ > 0 || zstd_ > 0; }
  // Chunks take more room than the values in them. The library fills variables that have a
  // _FillValue before values come.
  [[nodiscard]] bool lossesShow(const Schema& schema) const override {
    const auto& all = schema.variables();
    return !isPacked() && !fletcher32_ && chunks_ == "library" &&
           std::none_of(all.begin(), all.end(),
                        [](const Variable& one) { return one.ownFill() != nullptr; });
  }

  // Closing is collective: only files that all their ranks have open can be closed; others are left
  // to the end of the process. HDF5 writes before it closes: where that fails it keeps the file,
  // tries again when MPI ends, and crashes.
  void abandon(const Step& step) override {
    const DivertedToMemory memory(step.folder);
    if (memory.isLimited() && haveTransfersFailed()) {
      step.watchdog.end("HDF5 cannot give up a file below a limit on the size of files");
    }
    for (int index = 0; groups_ && index < bundleCount(step); ++index) {
      const auto found = files_.find(index);
      const bool isOpen = found != files_.end();
      if (groups_->isOpenEverywhere(step.comm, index, isOpen) && isOpen) {
        const Bundle& bundle = step.schema.bundles()[static_cast<std::size_t>(index)];
        found->second.abandon(folder_->forMpi(bundleFile(step, bundle)));
      }
    }
    files_.clear();
    folder_.reset();
  }

 private:
  // HDF5 describes metadata in memory by MPI types. ROMIO 3.2.1 (in Open MPI 4) keeps what it knows
  // of the type of a write that failed, under a handle that HDF5 then frees: a later type with that
  // handle would be written from the wrong addresses.
  static void checkTrust() {
    if (!haveTransfersFailed()) return;
    throw Failure(BIO_STATE,
                  "a write failed inside MPI-IO before, after which HDF5's metadata may be stored "
                  "wrongly: start again with mode append, or use back end pnetcdf");
  }
  // Values that a file must hold by the end of the step.
  static std::int64_t bytesBy(const Step& step, const Bundle& bundle) {
    std::int64_t bytes = valueBytes(step.schema, bundle);
    for (const int index : bundle.variables) {
      const Variable& variable = step.schema.variable(index);
      if (step.isRecord(variable)) bytes += step.record * variable.bytes();
    }
    return bytes;
  }
  static int bundleCount(const Step& step) {
    return static_cast<int>(step.schema.bundles().size());
  }

  void defineFile(const Schema& schema, const Bundle& bundle, const NetcdfFile& file) {
    variables_.merge(defineBundle(file, schema, bundle));
    for (const int index : bundle.variables) {
      const Variable& variable = schema.variable(index);
      const int id = variables_.at(index);
      // Filling before writing writes everything twice. But the library drops the attribute
      // _FillValue of a variable that is not filled.
      if (variable.ownFill() == nullptr) {
        file.check(nc_def_var_fill(file.id(), id, NC_NOFILL, nullptr),
                   "define variable '" + variable.name + "' in");
      }
      if (variable.bytes() > 0 && !variable.lengths.empty()) defineStorage(variable, file, id);
      keepNoChunks(schema, index, file);
    }
    file.check(nc_enddef(file.id()), "define");
  }

  // Parallel writes pass by the cache of chunks; its table would take 33 KiB for each variable.
  void keepNoChunks(const Schema& schema, int index, const NetcdfFile& file) const {
    const Variable& variable = schema.variable(index);
    if (variable.lengths.empty()) return;
    file.check(nc_set_var_chunk_cache(file.id(), variables_.at(index), 0, 0, 0),
               "define variable '" + variable.name + "' in");
  }

  void shareWrites(const Schema& schema, const Bundle& bundle, const NetcdfFile& file) const {
    for (const int index : bundle.variables) {
      // A scalar has no count that could say "nothing from this rank": one alone writes it.
      const int access = schema.variable(index).lengths.empty() ? NC_INDEPENDENT : NC_COLLECTIVE;
      file.check(nc_var_par_access(file.id(), variables_.at(index), access), "define");
    }
  }

  // How the library lays out and packs a variable that has cells.
  void defineStorage(const Variable& variable, const NetcdfFile& file, int id) const {
    const std::string what = " variable '" + variable.name + "' in";
    if (chunks_ != "library") {
      const std::vector<std::size_t> sizes = chunkOf(variable);
      file.check(nc_def_var_chunking(file.id(), id, NC_CHUNKED, sizes.data()), "chunk" + what);
    }
    if (deflate_ > 0) {
      file.check(nc_def_var_deflate(file.id(), id, 1, 1, deflate_), "compress" + what);
    }
    if (zstd_ > 0) {
      file.check(nc_def_var_deflate(file.id(), id, 1, 0, 0), "shuffle" + what);
      // nc_def_var_zstandard of a library that was built without it says that all went well.
      const auto level = static_cast<unsigned>(zstd_);
      if (nc_inq_filter_avail(file.id(), zstdFilter) != NC_NOERR) {
        throw Failure(BIO_NOT_BUILT,
                      "option zstd: HDF5 finds no such filter: name the folder of a plug-in for it "
                      "in HDF5_PLUGIN_PATH, or use deflate");
      }
      file.check(nc_def_var_filter(file.id(), id, zstdFilter, 1, &level), "compress" + what);
    }
    if (fletcher32_) {
      file.check(nc_def_var_fletcher32(file.id(), id, NC_FLETCHER32), "sum chunks of" + what);
    }
    if (rounding().changes(variable)) {
      file.check(nc_def_var_quantize(file.id(), id, NC_QUANTIZE_BITROUND, keepBits_),
                 "round" + what);
    }
  }

  // A plane, or of a plane what the rank with the largest box holds.
  [[nodiscard]] std::vector<std::size_t> chunkOf(const Variable& variable) const {
    std::vector<std::size_t> sizes(variable.leadingCount, 1);
    const Decomposition& decomposition = *variable.decomposition;
    for (std::size_t dim = 0; dim < decomposition.lengths().size(); ++dim) {
      std::int64_t length = 1;
      for (const Block& block : decomposition.blocks()) {
        if (block.cells() > 0) length = std::max(length, block.count[dim]);
      }
      if (chunks_ == "plane") length = decomposition.lengths()[dim];
      sizes.push_back(static_cast<std::size_t>(length));
    }
    Hyperslab chunk{sizes, sizes};
    for (std::size_t dim = 0; slabBytes(chunk, variable.type) > chunkBytesMax;) {
      if (chunk.count[dim] > 1) {
        chunk.count[dim] = (chunk.count[dim] + 1) / 2;
      } else {
        ++dim;
      }
    }
    return chunk.count;
  }

  int deflate_;
  int zstd_;
  bool fletcher32_;
  int keepBits_;                     // of a mantissa; 0: all
  std::string chunks_;               // library, plane or box
  std::optional<MpiFolder> folder_;  // while files are open
  Exchange exchange_;
  std::int64_t windowMebibytes_;
  std::optional<FileGroups> groups_;
  std::map<int, NetcdfFile> files_;  // that this rank has open, by bundle
  std::map<int, int> variables_;     // ids in the files, by index in the schema
};

}  // namespace

std::unique_ptr<Backend> makeNetcdf4Backend(const Options& options) {
  return std::make_unique<Netcdf4Backend>(options);
}

}  // namespace bundleio
