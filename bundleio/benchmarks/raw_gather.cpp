// The original scheme by direct calls of MPI and serial NetCDF: plane roots gather, bundle roots
// write. A window of planes of one bundle is under way at once.
#include <algorithm>
#include <cstring>

#include "raw_netcdf.hpp"

namespace bundleio::raw {

namespace {

constexpr int windowPlanes = 400;  // about 64 MiB on the default grid

struct Target {
  int root;
  int file = -1;
  std::vector<int> ids;
};

class Gatherer {
 public:
  explicit Gatherer(const Work& work) : work_(work) {
    MPI_Comm_rank(work.comm, &rank_);
    MPI_Comm_size(work.comm, &ranks_);
    const auto& blocks = work.schema.variables().front().decomposition->blocks();
    for (const Block& block : blocks) {
      starts_.push_back(counts_.empty() ? 0 : starts_.back() + counts_.back());
      counts_.push_back(static_cast<int>(block.cells()));
    }
  }

  void run() {
    const auto& bundles = work_.schema.bundles();
    for (std::size_t i = 0; i < bundles.size(); ++i) {
      targets_.push_back({static_cast<int>(i) * ranks_ / static_cast<int>(bundles.size()), -1, {}});
      if (targets_.back().root == rank_) open(bundles[i], targets_.back());
    }
    for (std::size_t i = 0; i < bundles.size(); ++i) moveBundle(bundles[i], targets_[i]);
    for (const Target& target : targets_) {
      if (target.root == rank_) checkNetcdf(nc_close(target.file));
    }
  }

 private:
  struct Plane {
    std::size_t variable;  // in the bundle
    std::int64_t index;
  };

  void open(const Bundle& bundle, Target& target) const {
    const auto path = work_.folder / (bundle.name + ".nc");
    checkNetcdf(nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_DATA, &target.file));
    checkNetcdf(nc_set_fill(target.file, NC_NOFILL, nullptr));
    target.ids = defineNetcdf(target.file, work_.schema, bundle);
    checkNetcdf(nc_enddef(target.file));
  }

  void moveBundle(const Bundle& bundle, const Target& target) {
    std::vector<Plane> planes;
    for (std::size_t i = 0; i < bundle.variables.size(); ++i) {
      const std::int64_t count = work_.schema.variable(bundle.variables[i]).planeCount;
      for (std::int64_t index = 0; index < count; ++index) planes.push_back({i, index});
    }
    for (std::size_t first = 0; first < planes.size(); first += windowPlanes) {
      const std::size_t end = std::min(planes.size(), first + windowPlanes);
      moveWindow(bundle, target, {planes.data() + first, planes.data() + end});
    }
  }

  void moveWindow(const Bundle& bundle, const Target& target, const std::vector<Plane>& planes) {
    std::vector<std::vector<float>> parts(planes.size());
    std::vector<std::vector<float>> wholes(planes.size());
    std::vector<MPI_Request> requests(planes.size());
    const auto cells = static_cast<std::size_t>(starts_.back() + counts_.back());
    const int own = counts_[static_cast<std::size_t>(rank_)];
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const int root = static_cast<int>(i) % ranks_;
      if (root == rank_) parts[i].resize(cells);
      const float* values = work_.model.values(bundle.variables[planes[i].variable]);
      MPI_Igatherv(values + planes[i].index * own, own, MPI_FLOAT, parts[i].data(), counts_.data(),
                   starts_.data(), MPI_FLOAT, root, work_.comm, &requests[i]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const int root = static_cast<int>(i) % ranks_;
      if (root == rank_ || target.root == rank_) wholes[i].resize(cells);
      if (root == rank_) assemble(bundle, parts[i], wholes[i]);
      if (root == target.root) continue;
      if (root == rank_) {
        requests.emplace_back();
        MPI_Isend(wholes[i].data(), static_cast<int>(cells), MPI_FLOAT, target.root,
                  static_cast<int>(i), work_.comm, &requests.back());
      } else if (target.root == rank_) {
        requests.emplace_back();
        MPI_Irecv(wholes[i].data(), static_cast<int>(cells), MPI_FLOAT, root, static_cast<int>(i),
                  work_.comm, &requests.back());
      }
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    if (target.root != rank_) return;
    for (std::size_t i = 0; i < planes.size(); ++i) store(bundle, target, planes[i], wholes[i]);
  }

  void assemble(const Bundle& bundle, const std::vector<float>& parts,
                std::vector<float>& whole) const {
    const auto& decomposition = *work_.schema.variable(bundle.variables.front()).decomposition;
    const auto width = static_cast<std::size_t>(decomposition.lengths()[1]);
    const float* part = parts.data();
    for (const Block& block : decomposition.blocks()) {
      const auto row = static_cast<std::size_t>(block.count[1]);
      for (std::int64_t lat = 0; lat < block.count[0]; ++lat, part += row) {
        const auto at = static_cast<std::size_t>(block.start[0] + lat) * width +
                        static_cast<std::size_t>(block.start[1]);
        std::memcpy(&whole[at], part, row * sizeof(float));
      }
    }
  }

  void store(const Bundle& bundle, const Target& target, const Plane& plane,
             const std::vector<float>& whole) const {
    const Variable& variable = work_.schema.variable(bundle.variables[plane.variable]);
    std::vector<std::size_t> start(variable.lengths.size(), 0);
    std::vector<std::size_t> count(variable.lengths.begin(), variable.lengths.end());
    if (variable.leadingCount == 2) {
      start[1] = static_cast<std::size_t>(plane.index);
      count[1] = 1;
    }
    checkNetcdf(nc_put_vara_float(target.file, target.ids[plane.variable], start.data(),
                                  count.data(), whole.data()));
  }

  const Work& work_;
  int rank_ = 0;
  int ranks_ = 1;
  std::vector<int> starts_;
  std::vector<int> counts_;
  std::vector<Target> targets_;
};

}  // namespace

void writeGather(const Work& work) { Gatherer(work).run(); }

}  // namespace bundleio::raw
