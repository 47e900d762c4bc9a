// NetCDF-4 through parallel HDF5: a file per bundle, one collective write per piece. The library
// itself makes metadata operations collective (H5Pset_all_coll_metadata_ops).
#include <netcdf.h>
#include <netcdf_par.h>

#include <optional>

#include "factories.hpp"
#include "hyperslab.hpp"
#include "mpi_folder.hpp"
#include "mpi_info.hpp"
#include "netcdf_library.hpp"

namespace bundleio {

namespace {

class Netcdf4Backend final : public Backend {
 public:
  explicit Netcdf4Backend(const Options& options)
      : deflate_(static_cast<int>(options.number("deflate", 0, 9))) {}

  void create(const Step& step) override {
    files_.clear();
    const MpiInfo hints(step.options.hints());
    folder_.emplace(step.folder);
    FirstFailure failure(step.watchdog);
    for (const Bundle& bundle : step.schema.bundles()) {
      failure.attempt([&] {
        const auto path = bundleFile(step, bundle);
        int id = -1;
        const int code = nc_create_par(folder_->forMpi(path).c_str(), NC_NETCDF4 | NC_CLOBBER,
                                       step.comm.handle(), hints.handle(), &id);
        if (code != NC_NOERR) throw netcdfFailure(code, nc_strerror(code), "create", path);
        files_.emplace_back(id, path);
      });
    }
    failure.raise();
  }

  void define(const Step& step) override {
    variables_.clear();
    FirstFailure failure(step.watchdog);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      failure.attempt([&] { defineFile(step.schema, step.schema.bundles()[i], files_[i]); });
    }
    failure.raise();
  }

  void write(const Step& step, const std::vector<Piece>& pieces) override {
    FirstFailure failure(step.watchdog);
    for (const Piece& piece : pieces) {
      const Variable& variable = step.schema.variable(piece.variable);
      const NetcdfFile& file = files_[static_cast<std::size_t>(variable.bundle)];
      const std::byte* values = piece.values;
      for (const Hyperslab& slab :
           collectiveHyperslabs(step.comm, variable, variable.decomposition->own(),
                                piece.firstPlane, piece.planes)) {
        if (variable.lengths.empty() && !step.comm.isRoot()) continue;
        failure.attempt([&] {
          file.check(nc_put_vara(file.id(), variables_.at(piece.variable), slab.start.data(),
                                 slab.count.data(), values),
                     "write variable '" + variable.name + "' to");
        });
        values += slabBytes(slab, variable.type);
      }
    }
    failure.raise();
  }

  void close(const Step& step) override {
    FirstFailure failure(step.watchdog);
    for (const NetcdfFile& file : files_) {
      failure.attempt([&] { file.check(nc_close(file.id()), "close"); });
    }
    files_.clear();
    folder_.reset();
    failure.raise();
  }

  // Closing is collective: only files that all ranks have open can be closed; others are left to
  // the end of the process.
  void abandon(const Step& step) override {
    const auto everywhere = step.comm.minimum(static_cast<long long>(files_.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(everywhere); ++i) nc_close(files_[i].id());
    files_.clear();
  }

 private:
  void defineFile(const Schema& schema, const Bundle& bundle, const NetcdfFile& file) {
    variables_.merge(defineBundle(file, schema, bundle));
    for (const int index : bundle.variables) {
      const Variable& variable = schema.variable(index);
      const int id = variables_.at(index);
      // Filling before writing writes everything twice. But the library drops the attribute
      // _FillValue of a variable that is not filled.
      if (!variable.decomposition->hasHoles() && variable.ownFill() == nullptr) {
        file.check(nc_def_var_fill(file.id(), id, NC_NOFILL, nullptr),
                   "define variable '" + variable.name + "' in");
      }
      if (deflate_ > 0 && !variable.lengths.empty()) {
        file.check(nc_def_var_deflate(file.id(), id, 1, 1, deflate_),
                   "compress variable '" + variable.name + "' in");
      }
    }
    file.check(nc_enddef(file.id()), "define");
    for (const int index : bundle.variables) {
      // A scalar has no count that could say "nothing from this rank": rank 0 alone writes it.
      const int access = schema.variable(index).lengths.empty() ? NC_INDEPENDENT : NC_COLLECTIVE;
      file.check(nc_var_par_access(file.id(), variables_.at(index), access), "define");
    }
  }

  int deflate_;
  std::optional<MpiFolder> folder_;  // while files are open
  std::vector<NetcdfFile> files_;
  std::map<int, int> variables_;  // ids in the files, by index in the schema
};

}  // namespace

std::unique_ptr<Backend> makeNetcdf4Backend(const Options& options) {
  return std::make_unique<Netcdf4Backend>(options);
}

}  // namespace bundleio
