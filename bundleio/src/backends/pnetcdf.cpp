// Parallel NetCDF in the classic CDF-5 format: a file per bundle, room reserved behind its header,
// all pieces announced without blocking and written by few collective calls.
#include <pnetcdf.h>

#include <algorithm>
#include <optional>

#include "factories.hpp"
#include "hyperslab.hpp"
#include "mpi_folder.hpp"
#include "mpi_info.hpp"
#include "netcdf_format.hpp"
#include "pace.hpp"

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

// The library counts the bytes of one rank between two flushes in an int: as many, and one more
// put.
constexpr std::int64_t windowBytesMax = 1 << 30;

class PnetcdfFile {
 public:
  PnetcdfFile(int id, std::filesystem::path path) : id_(id), path_(std::move(path)) {}

  [[nodiscard]] int id() const { return id_; }

  void check(int code, const std::string& what) const {
    if (code == NC_NOERR) return;
    const std::string subject = what + " " + path_.string() + ": " + ncmpi_strerror(code);
    if (code == NC_ENO_SPACE || code == NC_EQUOTA) throw Failure(BIO_NO_SPACE, subject);
    if (code == NC_EACCESS || code == NC_EPERM) throw Failure(BIO_PERMISSION, subject);
    throw netcdfFailure(code, ncmpi_strerror(code), what, path_);
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
        windowMebibytes_(windowMebibytes(options)),
        headerBytes_(options.number("header_kib", 0, 1 << 20) << 10) {}

  void create(const Step& step) override {
    files_.clear();
    checkClassic(step.schema);
    const auto mebibytes = windowMebibytes_ > 0
                               ? windowMebibytes_
                               : ownSixteenthMebibytes(step.schema, step.comm.size(), 64);
    windowBytes_ = std::min(mebibytes << 20, windowBytesMax);
    auto hints = pacedHints(step.options, step.schema, step.comm.size());
    // The values belong to the application and may be read-only: never swapped where they lie.
    hints["nc_in_place_swap"] = "disable";
    const MpiInfo info(hints);
    folder_.emplace(step.folder);
    FirstFailure failure(step.watchdog);
    for (const Bundle& bundle : step.schema.bundles()) {
      failure.attempt([&] {
        const auto path = bundleFile(step, bundle);
        int id = -1;
        const int code = ncmpi_create(step.comm.handle(), folder_->forMpi(path).c_str(),
                                      NC_CLOBBER | NC_64BIT_DATA, info.handle(), &id);
        PnetcdfFile(id, path).check(code, "create");
        files_.emplace_back(id, path);
      });
    }
    failure.raise();
  }

  void define(const Step& step) override {
    variables_.clear();
    FirstFailure failure(step.watchdog);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const Bundle& bundle = step.schema.bundles()[i];
      failure.attempt([&] { variables_.merge(defineBundle(files_[i], step.schema, bundle)); });
      failure.attempt(
          [&] { files_[i].check(ncmpi__enddef(files_[i].id(), headerBytes_, 4, 0, 4), "define"); });
    }
    failure.raise();
  }

  void write(const Step& step, const std::vector<Piece>& pieces) override {
    FirstFailure failure(step.watchdog);
    announcedBytes_ = 0;
    fillHoles(step, failure);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Variable& variable = step.schema.variable(pieces[i].variable);
      put(step, variable.decomposition->blocks(), pieces[i], failure);
      const bool fileEnds = i + 1 == pieces.size() ||
                            step.schema.variable(pieces[i + 1].variable).bundle != variable.bundle;
      if (fileEnds) flush(fileOf(variable), failure);
    }
    failure.raise();
  }

  void close(const Step& step) override {
    FirstFailure failure(step.watchdog);
    for (const PnetcdfFile& file : files_) {
      failure.attempt([&] { file.check(ncmpi_close(file.id()), "close"); });
    }
    files_.clear();
    folder_.reset();
    failure.raise();
  }

  // As in netcdf4: what not all ranks have open is left to the end of the process.
  void abandon(const Step& step) override {
    const auto everywhere = step.comm.minimum(static_cast<long long>(files_.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(everywhere); ++i) {
      ncmpi_abort(files_[i].id());
    }
    files_.clear();
  }

 private:
  [[nodiscard]] const PnetcdfFile& fileOf(const Variable& variable) const {
    return files_[static_cast<std::size_t>(variable.bundle)];
  }

  // The library's own filling leaves ranks waiting where one rank's write fails. So each rank first
  // fills an equal share of what has holes, by the same calls that write values.
  void fillHoles(const Step& step, FirstFailure& failure) {
    for (std::size_t index = 0; index < step.schema.variables().size(); ++index) {
      const Variable& variable = step.schema.variables()[index];
      const Decomposition& decomposition = *variable.decomposition;
      if (!decomposition.hasHoles() || variable.bytes() == 0) continue;
      const std::vector<Block> shares = equalSlabs(decomposition.lengths(), step.comm.size());
      const Block& share = shares[static_cast<std::size_t>(step.comm.rank())];
      const std::vector<std::byte> fill = variable.fill();
      std::vector<std::byte> values(static_cast<std::size_t>(variable.planeCount * share.cells()) *
                                    fill.size());
      for (std::size_t at = 0; at < values.size(); at += fill.size()) {
        std::copy(fill.begin(), fill.end(), values.begin() + static_cast<std::ptrdiff_t>(at));
      }
      put(step, shares, {static_cast<int>(index), 0, variable.planeCount, values.data()}, failure);
      flush(fileOf(variable), failure);
    }
  }

  // What `boxes` gives this rank of a piece. The other boxes tell when all ranks must write what
  // they announced: at the same puts, and before any of them has announced too much.
  void put(const Step& step, const std::vector<Block>& boxes, const Piece& piece,
           FirstFailure& failure) {
    const Variable& variable = step.schema.variable(piece.variable);
    const PnetcdfFile& file = fileOf(variable);
    const Block& own = boxes[static_cast<std::size_t>(step.comm.rank())];
    std::int64_t cellsMax = 0;
    for (const Block& box : boxes) cellsMax = std::max(cellsMax, box.cells());
    const std::vector<Hyperslab> slabs =
        collectiveHyperslabs(step.comm, variable, own, piece.firstPlane, piece.planes);
    const std::int64_t bytesMax = cellsMax * piece.planes *
                                  static_cast<std::int64_t>(bytesOf(variable.type)) /
                                  static_cast<std::int64_t>(slabs.size());
    const std::byte* values = piece.values;
    for (const Hyperslab& slab : slabs) {
      const std::size_t bytes = own.cells() > 0 ? slabBytes(slab, variable.type) : 0;
      failure.attempt([&] { announce(file, variable, piece.variable, slab, values, bytes); });
      values += bytes;
      // A scalar has no count that could say "nothing from this rank", so it is always announced.
      if (blocking_ && !variable.lengths.empty()) continue;
      announcedBytes_ += bytesMax;
      if (blocking_ || announcedBytes_ >= windowBytes_) flush(file, failure);
    }
  }

  void announce(const PnetcdfFile& file, const Variable& variable, int index, const Hyperslab& slab,
                const std::byte* values, std::size_t bytes) {
    const int id = variables_.at(index);
    const auto start = offsets(slab.start);
    const auto count = offsets(slab.count);
    const auto cells = static_cast<MPI_Offset>(bytes / bytesOf(variable.type));
    const MPI_Datatype type = mpiType(variable.type);
    const std::string what = "write variable '" + variable.name + "' to";
    if (blocking_ && !variable.lengths.empty()) {
      file.check(ncmpi_put_vara_all(file.id(), id, start.data(), count.data(), values, cells, type),
                 what);
    } else if (cells > 0) {
      requests_.push_back(0);
      file.check(ncmpi_iput_vara(file.id(), id, start.data(), count.data(), values, cells, type,
                                 &requests_.back()),
                 what);
    }
  }

  void flush(const PnetcdfFile& file, FirstFailure& failure) {
    announcedBytes_ = 0;
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
  std::int64_t windowMebibytes_;
  std::int64_t windowBytes_ = 0;
  std::int64_t headerBytes_;
  std::int64_t announcedBytes_ = 0;  // by the rank that announced most, since the last flush
  std::optional<MpiFolder> folder_;  // while files are open
  std::vector<PnetcdfFile> files_;
  std::map<int, int> variables_;  // ids in the files, by index in the schema
  std::vector<int> requests_;
};

}  // namespace

std::unique_ptr<Backend> makePnetcdfBackend(const Options& options) {
  return std::make_unique<PnetcdfBackend>(options);
}

}  // namespace bundleio
