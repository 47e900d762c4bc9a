// Parallel NetCDF in the classic CDF-5 format: a file per bundle, room reserved behind its header,
// all pieces announced without blocking and written by few collective calls.
#include <pnetcdf.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "backends/classic_header.hpp"
#include "backends/factories.hpp"
#include "backends/mpi_folder.hpp"
#include "backends/mpi_info.hpp"
#include "backends/netcdf_format.hpp"
#include "backends/shared_files.hpp"
#include "exchange/file_parts.hpp"
#include "exchange/pace.hpp"
#include "guard/written.hpp"

namespace bundleio {

namespace {

MPI_Datatype mpiType(Type type) {
  switch (type) {
    case BIO_TEXT:
      return MPI_CHAR;
    case BIO_INT8:
      return MPI_SIGNED_CHAR;
    case BIO_UINT8:
      return MPI_UNSIGNED_CHAR;
    case BIO_INT16:
      return MPI_SHORT;
    case BIO_UINT16:
      return MPI_UNSIGNED_SHORT;
    case BIO_INT32:
      return MPI_INT;
    case BIO_UINT32:
      return MPI_UNSIGNED;
    case BIO_INT64:
      return MPI_LONG_LONG_INT;
    case BIO_UINT64:
      return MPI_UNSIGNED_LONG_LONG;
    case BIO_FLOAT32:
      return MPI_FLOAT;
    case BIO_FLOAT64:
      return MPI_DOUBLE;
  }
  throw Failure(BIO_INTERNAL, "unknown type");
}

// Of a plane that is larger than a window may be: as many parts of collectiveBytesMax go at once.
constexpr int largePartsMax = 2;

class PnetcdfFile {
 public:
  PnetcdfFile(int id, std::filesystem::path path) : id_(id), path_(std::move(path)) {}

  [[nodiscard]] int id() const { return id_; }

  void check(int code, const std::string& what) const {
    if (code == NC_NOERR) return;
    const std::string subject = what + " " + path_.string() + ": " + ncmpi_strerror(code);
    if (code == NC_ENO_SPACE || code == NC_EQUOTA) throw Failure(BIO_NO_SPACE, subject);
    // It names no right, so that the system's word is asked for.
    const bool isRefused = code == NC_EACCESS || code == NC_EPERM;
    throw netcdfFailure(isRefused ? EACCES : code, ncmpi_strerror(code), what, path_);
  }

  [[nodiscard]] int defineDimension(const std::string& name, std::int64_t length) const {
    int made = -1;
    check(ncmpi_def_dim(id_, name.c_str(), length, &made), "define dimension '" + name + "' in");
    return made;
  }

  [[nodiscard]] int defineVariable(const Variable& variable, const std::vector<int>& dims) const {
    int made = -1;
    check(ncmpi_def_var(id_, variable.name.c_str(), netcdfType(variable.type),
                        static_cast<int>(dims.size()), dims.data(), &made),
          "define variable '" + variable.name + "' in");
    return made;
  }

  [[nodiscard]] int findVariable(const Variable& variable) const {
    int found = -1;
    check(ncmpi_inq_varid(id_, variable.name.c_str(), &found),
          "find variable '" + variable.name + "' in");
    return found;
  }

  void putAttribute(int variable, const Attribute& attribute) const {
    check(ncmpi_put_att(id_, variable, attribute.name.c_str(), netcdfType(attribute.type),
                        attribute.count, attribute.bytes.data()),
          "define attribute '" + attribute.name + "' in");
  }

 private:
  int id_;
  std::filesystem::path path_;
};

std::vector<MPI_Offset> offsets(const std::vector<std::size_t>& values) {
  return {values.begin(), values.end()};
}

class PnetcdfBackend final : public Backend {
 public:
  explicit PnetcdfBackend(const Options& options)
      : blocking_(options.flag("blocking")),
        exchange_(options),
        windowMebibytes_(windowMebibytes(options)),
        headerBytes_(options.number("header_kib", 0, 1 << 20) << 10) {}

  [[nodiscard]] std::string seriesKey(const Schema& schema, const Communicator& /*comm*/,
                                      const std::filesystem::path& /*folder*/) const override {
    return classicSeriesKey(schema);
  }

  void create(const Step& step) override {
    if (step.appends() && areOpen_) {
      FirstFailure failure(step.watchdog);
      claimFiles(step, *groups_, headerBytes_, failure);
      return failure.raise();
    }
    files_.clear();
    areOpen_ = false;
    checkClassic(step.schema);
    if (!groups_) groups_.emplace(step.comm, step.schema, exchange_);
    step.comm.agree([&] {
      folder_.emplace(step.folder);
      checkDescriptors(step, *groups_);
    });
    FirstFailure failure(step.watchdog);
    for (int index = 0; index < bundleCount(step); ++index) {
      if (groups_->isMember(index)) failure.attempt([&] { createFile(step, index); });
    }
    claimFiles(step, *groups_, headerBytes_, failure);
    failure.raise();
  }

  void define(const Step& step) override {
    if (areOpen_) return;
    variables_.clear();
    FirstFailure failure(step.watchdog);
    for (const auto& entry : files_) {
      const Bundle& bundle = step.schema.bundles()[static_cast<std::size_t>(entry.first)];
      const PnetcdfFile& file = entry.second;
      if (step.appends()) {
        failure.attempt([&] { variables_.merge(findBundle(file, step.schema, bundle)); });
        continue;
      }
      failure.attempt([&] { variables_.merge(defineBundle(file, step.schema, bundle)); });
      failure.attempt(
          [&] { file.check(ncmpi__enddef(file.id(), headerBytes_, 4, 0, 4), "define"); });
    }
    failure.raise();
  }

  void write(const Step& step, const std::vector<Piece>& pieces) override {
    const std::int64_t bytes = windowBytes(windowMebibytes_, step.schema, step.comm.size());
    FileParts window(step, *groups_, pieces, {bytes, blocking_});
    FirstFailure failure(step.watchdog);
    while (window.next()) {
      const std::vector<FilePart>& parts = window.parts();
      bool areAnnounced = false;
      int largeParts = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const Variable& variable = step.schema.variable(parts[i].variable);
        const PnetcdfFile& file = files_.at(variable.bundle);
        // A scalar has no count that could say "nothing from this rank".
        const bool atOnce = blocking_ && !variable.lengths.empty();
        if (!step.isThere(variable)) {
          failure.attempt([&] { put(file, variable, parts[i], step.start(variable), atOnce); });
        }
        areAnnounced = areAnnounced || !atOnce;
        if (variable.bytes() > collectiveBytesMax) ++largeParts;
        const bool fileEnds = i + 1 == parts.size() ||
                              step.schema.variable(parts[i + 1].variable).bundle != variable.bundle;
        if (!fileEnds && largeParts < largePartsMax) continue;
        if (areAnnounced) flush(file, failure);
        areAnnounced = false;
        largeParts = 0;
      }
    }
    failure.raise();
  }

  [[nodiscard]] bool takesBoxes() const override { return true; }

  void openBoxes(const Step& step) override {
    takenBoxes_ = true;
    FirstFailure failure(step.watchdog);
    for (const auto& entry : files_) {
      const PnetcdfFile& file = entry.second;
      failure.attempt([&] { file.check(ncmpi_begin_indep_data(file.id()), "open"); });
    }
    failure.raise();
  }

  void writeBox(const Step& step, int index, const Block& box, const std::byte* values) override {
    const Variable& variable = step.schema.variable(index);
    if (step.isThere(variable)) return;
    const PnetcdfFile& file = files_.at(variable.bundle);
    std::vector<MPI_Offset> start(box.start.begin(), box.start.end());
    if (!start.empty()) start[0] += step.start(variable);
    const std::vector<MPI_Offset> count(box.count.begin(), box.count.end());
    file.check(ncmpi_put_vara(file.id(), variables_.at(index), start.data(), count.data(), values,
                              box.cells(), mpiType(variable.type)),
               "write variable '" + variable.name + "' to");
  }

  void close(const Step& step) override {
    FirstFailure failure(step.watchdog);
    for (const auto& entry : files_) {
      const PnetcdfFile& file = entry.second;
      failure.attempt([&] { findValues(step, entry.first, file); });
      if (step.staysOpen) failure.attempt([&] { showRecords(file); });
    }
    areOpen_ = step.staysOpen;
    if (!areOpen_) closeFiles(failure);
    failure.raise();
  }

  void closeSeries(const Step& step) override {
    FirstFailure failure(step.watchdog);
    closeFiles(failure);
    failure.raise();
  }

  void verify(const Step& step) override {
    forFirstRanks(step, *groups_, [&](int index, const std::filesystem::path& path) {
      checkRanges(path, ranges_[index]);
      const Bundle& bundle = step.schema.bundles()[static_cast<std::size_t>(index)];
      const bool grows =
          std::any_of(bundle.variables.begin(), bundle.variables.end(), [&](int number) {
            const Variable& variable = step.schema.variable(number);
            return step.isRecord(variable) && variable.bytes() > 0;
          });
      checkHeader(path, grows ? step.record + 1 : 0);
    });
  }
  [[nodiscard]] bool usesMpiIo() const override { return true; }

  // As in netcdf4: what not all its ranks have open is left to the end of the process.
  void abandon(const Step& step) override {
    for (int index = 0; groups_ && index < bundleCount(step); ++index) {
      const auto found = files_.find(index);
      const bool isOpen = found != files_.end();
      if (groups_->isOpenEverywhere(step.comm, index, isOpen) && isOpen) {
        ncmpi_abort(found->second.id());
      }
    }
    files_.clear();
    areOpen_ = false;
  }

 private:
  void closeFiles(FirstFailure& failure) {
    for (const auto& entry : files_) {
      const PnetcdfFile& file = entry.second;
      failure.attempt([&] { file.check(ncmpi_close(file.id()), "close"); });
    }
    files_.clear();
    folder_.reset();
    areOpen_ = false;
  }

  // Boxes of ranks leave the number of entries behind in the header; collective calls write it.
  void showRecords(const PnetcdfFile& file) const {
    if (takenBoxes_) file.check(ncmpi_end_indep_data(file.id()), "write");
  }

  static int bundleCount(const Step& step) {
    return static_cast<int>(step.schema.bundles().size());
  }

  void createFile(const Step& step, int index) {
    auto hints = pacedHints(step.options, step.schema, step.comm.size());
    // The application's values may be read-only: they are never swapped where they lie, but copied.
    hints["nc_in_place_swap"] = groups_->isExchanged(index) ? "enable" : "disable";
    // Values that lie apart are packed first, a window at most: MPI types of memory do not
    // survive a failed write in ROMIO (see netcdf4).
    const auto window = windowBytes(windowMebibytes_, step.schema, step.comm.size());
    hints.emplace("nc_ibuf_size", std::to_string(window));
    const MpiInfo info(hints);
    const auto path = bundleFile(step, step.schema.bundles()[static_cast<std::size_t>(index)]);
    int id = -1;
    const std::string name = folder_->forMpi(path);
    const int code = step.appends() ? ncmpi_open(groups_->comm(index), name.c_str(), NC_WRITE,
                                                 info.handle(), &id)
                                    : ncmpi_create(groups_->comm(index), name.c_str(),
                                                   NC_CLOBBER | NC_64BIT_DATA, info.handle(), &id);
    PnetcdfFile(id, path).check(code, step.appends() ? "open" : "create");
    files_.emplace(index, PnetcdfFile(id, path));
  }

  void findValues(const Step& step, int index, const PnetcdfFile& file) {
    std::vector<FileRange>& ranges = ranges_[index];
    ranges.clear();
    MPI_Offset recordBytes = 0;
    file.check(ncmpi_inq_recsize(file.id(), &recordBytes), "close");
    for (const int number : step.schema.bundles()[static_cast<std::size_t>(index)].variables) {
      MPI_Offset start = 0;
      file.check(ncmpi_inq_varoffset(file.id(), variables_.at(number), &start), "close");
      const Variable& variable = step.schema.variable(number);
      ranges.push_back({start + step.start(variable) * recordBytes, variable.bytes()});
    }
  }

  void put(const PnetcdfFile& file, const Variable& variable, const FilePart& part,
           std::int64_t first, bool atOnce) {
    const int id = variables_.at(part.variable);
    auto start = offsets(part.slab.start);
    if (!start.empty()) start[0] += first;
    const auto count = offsets(part.slab.count);
    const auto cells = static_cast<MPI_Offset>(part.bytes / bytesOf(variable.type));
    const MPI_Datatype type = mpiType(variable.type);
    const std::string what = "write variable '" + variable.name + "' to";
    if (atOnce) {
      file.check(
          ncmpi_put_vara_all(file.id(), id, start.data(), count.data(), part.values, cells, type),
          what);
    } else if (cells > 0) {
      requests_.push_back(NC_REQ_NULL);
      file.check(ncmpi_iput_vara(file.id(), id, start.data(), count.data(), part.values, cells,
                                 type, &requests_.back()),
                 what);
    }
  }

  void flush(const PnetcdfFile& file, FirstFailure& failure) {
    failure.attempt([&] {
      std::vector<int> states(requests_.size(), NC_NOERR);
      const int code = ncmpi_wait_all(file.id(), static_cast<int>(requests_.size()),
                                      requests_.data(), states.data());
      requests_.clear();
      file.check(code, "write");
      for (const int state : states) file.check(state, "write");
    });
  }

  bool blocking_;
  Exchange exchange_;
  std::int64_t windowMebibytes_;
  std::int64_t headerBytes_;
  bool takenBoxes_ = false;          // by steps of this run
  bool areOpen_ = false;             // since the step before
  std::optional<MpiFolder> folder_;  // while files are open
  std::optional<FileGroups> groups_;
  std::map<int, PnetcdfFile> files_;              // that this rank has open, by bundle
  std::map<int, int> variables_;                  // ids in the files, by index in the schema
  std::map<int, std::vector<FileRange>> ranges_;  // of the values, by bundle
  std::vector<int> requests_;
};

}  // namespace

std::unique_ptr<Backend> makePnetcdfBackend(const Options& options) {
  return std::make_unique<PnetcdfBackend>(options);
}

}  // namespace bundleio
