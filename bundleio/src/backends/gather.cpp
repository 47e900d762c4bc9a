// The original scheme, kept as the baseline of every comparison.
//
// Each plane has a plane root that gathers it from all ranks; each bundle has a bundle root that
// collects its planes from the plane roots and writes them with serial NetCDF.
// Source: Liu (Auburn 2015), section 2.2.1, Figure 2.1. Plane p of a step is gathered by rank
// p mod P, bundle b is written by rank floor(b P / B), with P ranks and B bundles.
// Own: planes go through in windows, so that roots hold a window and not the whole step, and a
// bundle root has few of them at once: it stores what arrived first while the next are under way.
// Option blocking=yes gathers plane after plane (MPI_Gatherv, MPI_Send); else a window's planes are
// all under way at once (MPI_Igatherv, MPI_Isend). Maps, which the original does not know, are then
// collected by messages between those that have cells for each other: of a window, one from each
// rank to each plane root, and no call of all ranks.
#include <netcdf.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "backends/buffer_pool.hpp"
#include "backends/factories.hpp"
#include "backends/gather_planes.hpp"
#include "backends/gather_seconds.hpp"
#include "backends/netcdf_library.hpp"
#include "backends/plane_messages.hpp"
#include "exchange/pace.hpp"
#include "guard/open_files.hpp"
#include "model/hyperslab.hpp"

namespace bundleio {

namespace {

// Planes that are on their way to one bundle root at once. Own: two would do for storing one while
// the next arrives; with four a step took a tenth less at 32 ranks on two cores, with eight another
// twentieth.
constexpr std::size_t arrivingMax = 4;

// The same of planes of a map. Own: beside the cells that maps have on their way, the root that
// holds most has no memory for more.
constexpr std::size_t arrivingOfMapsMax = 2;

// How the boxes of a decomposition follow each other on a plane root.
struct Boxes {
  std::vector<int> counts;  // cells per rank
  std::vector<int> starts;  // first cell per rank
  std::size_t cells = 0;
};

// A rank's part of one plane while its window is under way.
struct UnderWay {
  Buffer gathered;  // boxes by rank, on the plane root
  Buffer whole;     // the plane, on the plane root, and on the bundle root
  MPI_Request request = MPI_REQUEST_NULL;
};

class GatherBackend final : public Backend {
 public:
  explicit GatherBackend(const Options& options)
      : blocking_(options.flag("blocking")), windowMebibytes_(windowMebibytes(options)) {}
  ~GatherBackend() override { release(); }

  [[nodiscard]] std::string seriesKey(const Schema& schema, const Communicator& /*comm*/,
                                      const std::filesystem::path& /*folder*/) const override {
    return classicSeriesKey(schema);
  }

  void create(const Step& step) override {
    checkClassic(step.schema);
    seconds_ = std::make_unique<GatherSeconds>(step.meter, step.schema);
    for (const Variable& variable : step.schema.variables()) {
      if (cellCount(variable.decomposition->lengths()) > INT_MAX) {
        throw Failure(BIO_BAD_ARGUMENT, "variable '" + variable.name +
                                            "': gather takes planes of up to 2^31 - 1 cells");
      }
    }
    const auto& bundles = step.schema.bundles();
    for (std::size_t i = 0; i < bundles.size(); ++i) {
      if (bundleRoot(step, static_cast<int>(i)) != step.comm.rank()) continue;
      const auto path = bundleFile(step, bundles[i]);
      int id = -1;
      const int code = step.appends() ? nc_open(path.c_str(), NC_WRITE, &id)
                                      : nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_DATA, &id);
      if (code != NC_NOERR) {
        throw netcdfFailure(code, nc_strerror(code), step.appends() ? "open" : "create", path);
      }
      files_.emplace(static_cast<int>(i), NetcdfFile(id, path));
    }
  }

  void define(const Step& step) override {
    variables_.clear();
    for (const auto& [bundle, file] : files_) {
      int before = 0;
      // Planes arrive whole, holes filled: filling first would write everything twice.
      file.check(nc_set_fill(file.id(), NC_NOFILL, &before), "define");
      const Bundle& definitions = step.schema.bundles()[static_cast<std::size_t>(bundle)];
      variables_.merge(step.appends() ? findBundle(file, step.schema, definitions)
                                      : defineBundle(file, step.schema, definitions));
      if (!step.appends()) file.check(nc_enddef(file.id()), "define");
    }
  }

  void write(const Step& step, const std::vector<Piece>& pieces) override {
    FirstFailure failure(step.watchdog);
    const std::vector<Plane> planes = planesOf(step, pieces);
    // Planes of all ranks together; below 4 MiB there are too few under way.
    const std::int64_t windowBytes =
        (windowMebibytes_ > 0 ? windowMebibytes_ : shareMebibytes(step.schema, 128, 4, 64)) << 20;
    const auto endOf = [&](std::size_t first) {
      std::size_t end = first;
      std::int64_t bytes = 0;
      while (end < planes.size() && (end == first || (!blocking_ && bytes < windowBytes))) {
        bytes += bytesOf(step, planes[end++]);
      }
      return end;
    };
    BoxPlanes boxes(step);
    for (std::size_t at = 0; at < planes.size(); at = endOf(at)) {
      boxes.measure(rangesOf(planes.data() + at, endOf(at) - at));
    }
    boxes.reserve();
    for (std::size_t at = 0; at < planes.size(); at = endOf(at)) {
      boxes.load(rangesOf(planes.data() + at, endOf(at) - at));
      moveWindow(step, boxes, planes.data() + at, endOf(at) - at, failure);
    }
    pool_ = BufferPool();  // until the next step, the memory is the model's
    failure.raise();
  }

  void close(const Step& step) override {
    FirstFailure failure(step.watchdog);
    while (!files_.empty()) {
      const NetcdfFile& file = files_.begin()->second;
      const auto bundle = static_cast<std::size_t>(files_.begin()->first);
      // The library forgets a file whose last bytes find no room while it is closed, and crashes
      // when it is asked to close it again. A file whose sync fails stays open; abandon closes it.
      int code = nc_sync(file.id());
      failure.attempt([&] {
        file.check(code, "close");
        // The library does not look at what the file system says when it closes the file.
        requireStored(bundleFile(step, step.schema.bundles()[bundle]));
      });
      if (failure.occurred()) break;
      code = nc_close(file.id());
      failure.attempt([&] { file.check(code, "close"); });
      if (code != NC_NOERR) break;
      files_.erase(files_.begin());
    }
    failure.raise();
  }

  void abandon(const Step& step) override {
    // The library extends a file that is too short before it closes it, which /dev/null refuses.
    const DivertedToMemory memory(step.folder);
    release();
  }

 private:
  void moveWindow(const Step& step, BoxPlanes& boxes, const Plane* planes, std::size_t count,
                  FirstFailure& failure) {
    std::vector<UnderWay> window(count);
    for (std::size_t i = 0; i < count; ++i) {
      // A blocking gather waits inside.
      const Meter::Lap lap(blocking_ ? seconds_->wait : seconds_->post);
      const Meter::Lap collecting(collectSeconds(step, planes[i], blocking_));
      gather(step, boxes, planes[i], window[i]);
    }
    {
      const Meter::Lap lap(seconds_->post);
      const Moved moved = mapParts_.start(step.comm);
      step.meter.counters.messages += moved.messages;
      step.meter.counters.messageBytes += moved.bytes;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Meter::Lap collecting(collectSeconds(step, planes[i], true));
      wait(window[i]);
      if (travelsInParts(step, planes[i])) waitForParts();
      if (planes[i].planeRoot == step.comm.rank()) {
        const Meter::Lap copying(seconds_->copy);
        assemble(step, planes[i], window[i]);
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (planes[i].planeRoot == step.comm.rank()) send(step, planes[i], window[i]);
    }
    receiveAndStore(step, planes, window, failure);
    for (std::size_t i = 0; i < count; ++i) {
      const Meter::Lap forwarding(seconds_->others);
      wait(window[i]);
      pool_.giveBack(window[i].whole);
    }
  }

  // On bundle roots: planes are stored in order, while the next ones arrive.
  void receiveAndStore(const Step& step, const Plane* planes, std::vector<UnderWay>& window,
                       FirstFailure& failure) {
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < window.size(); ++i) {
      if (planes[i].bundleRoot == step.comm.rank()) mine.push_back(i);
    }
    std::size_t posted = 0;
    for (std::size_t next = 0; next < mine.size(); ++next) {
      const Plane& plane = planes[mine[next]];
      const std::size_t arriving = travelsInParts(step, plane) ? arrivingOfMapsMax : arrivingMax;
      for (; posted < mine.size() && posted < next + arriving; ++posted) {
        receive(step, planes[mine[posted]], window[mine[posted]]);
      }
      UnderWay& here = window[mine[next]];
      {
        const Meter::Lap forwarding(ofBundle(step, plane).forward);
        wait(here);
      }
      const Meter::Lap storing(ofBundle(step, plane).store);
      failure.attempt([&] { writePlane(step, plane, here.whole); });
      pool_.giveBack(here.whole);
    }
  }

  // All of the window: nothing is left to wait for at its next plane.
  void waitForParts() {
    const Meter::Lap waiting(seconds_->wait);
    mapParts_.wait();
  }

  void wait(UnderWay& plane) {
    const Meter::Lap waiting(seconds_->wait);
    MPI_Wait(&plane.request, MPI_STATUS_IGNORE);
  }

  GatherSeconds::OfBundle& ofBundle(const Step& step, const Plane& plane) {
    const int bundle = step.schema.variable(plane.piece->variable).bundle;
    return seconds_->bundles[static_cast<std::size_t>(bundle)];
  }

  // The seconds of collecting the plane, if it `counts` and this rank is its root.
  double& collectSeconds(const Step& step, const Plane& plane, bool counts) {
    const bool isRoot = plane.planeRoot == step.comm.rank();
    return counts && isRoot ? ofBundle(step, plane).collect : seconds_->others;
  }

  const Boxes& boxesOf(const Decomposition& decomposition) {
    const auto [at, isNew] = boxes_.try_emplace(&decomposition);
    Boxes& boxes = at->second;
    if (isNew) {
      for (const Block& box : decomposition.blocks()) {
        boxes.starts.push_back(static_cast<int>(boxes.cells));
        boxes.counts.push_back(static_cast<int>(box.cells()));
        boxes.cells += static_cast<std::size_t>(box.cells());
      }
    }
    return boxes;
  }

  void gather(const Step& step, BoxPlanes& planes, const Plane& plane, UnderWay& here) {
    const Variable& variable = step.schema.variable(plane.piece->variable);
    const std::int64_t ownBytes = variable.ownPlaneBytes();
    planes.sum({{plane.piece, plane.index, 1}});
    const std::byte* values = planes.at(*plane.piece, plane.index);
    const Boxes& boxes = boxesOf(*variable.decomposition);
    if (plane.planeRoot == step.comm.rank()) {
      here.gathered = pool_.take(boxes.cells * bytesOf(variable.type));
    }
    if (travelsInParts(step, plane)) {
      addParts(step, plane, boxes, values, here.gathered.data());
      return;
    }
    if (plane.planeRoot != step.comm.rank() && ownBytes > 0) {
      ++step.meter.counters.messages;
      step.meter.counters.messageBytes += ownBytes;
    }
    const MPI_Datatype cell = cellType(variable.type);
    const auto own = static_cast<int>(variable.decomposition->own().cells());
    if (blocking_) {
      MPI_Gatherv(values, own, cell, here.gathered.data(), boxes.counts.data(), boxes.starts.data(),
                  cell, plane.planeRoot, step.comm.handle());
    } else {
      MPI_Igatherv(values, own, cell, here.gathered.data(), boxes.counts.data(),
                   boxes.starts.data(), cell, plane.planeRoot, step.comm.handle(), &here.request);
    }
  }

  [[nodiscard]] bool travelsInParts(const Step& step, const Plane& plane) const {
    const Variable& variable = step.schema.variable(plane.piece->variable);
    return !blocking_ && variable.decomposition->rearrangement() != nullptr;
  }

  // This rank's box of the plane, or on the plane root those of all, go with the window's messages.
  void addParts(const Step& step, const Plane& plane, const Boxes& boxes, const std::byte* values,
                std::byte* gathered) {
    const std::size_t cellBytes = bytesOf(step.schema.variable(plane.piece->variable).type);
    const auto bytes = [&](int rank) {
      return static_cast<std::size_t>(boxes.counts[static_cast<std::size_t>(rank)]) * cellBytes;
    };
    const int own = step.comm.rank();
    if (plane.planeRoot != own) {
      mapParts_.send(plane.planeRoot, values, bytes(own));
      return;
    }
    for (int rank = 0; rank < step.comm.size(); ++rank) {
      if (rank == own) {
        if (bytes(own) > 0) std::memcpy(gathered, values, bytes(own));
      } else {
        mapParts_.receive(rank, gathered, bytes(rank));
      }
      gathered += bytes(rank);
    }
  }

  // On the plane root: boxes by rank become the plane; holes get the fill value.
  void assemble(const Step& step, const Plane& plane, UnderWay& here) {
    const Variable& variable = step.schema.variable(plane.piece->variable);
    const std::size_t cellBytes = bytesOf(variable.type);
    here.whole = pool_.take(static_cast<std::size_t>(bytesOf(step, plane)));
    if (variable.decomposition->hasHoles()) {
      variable.fillCells(static_cast<std::int64_t>(here.whole.size() / cellBytes),
                         here.whole.data());
    }
    const auto& blocks = variable.decomposition->blocks();
    const Boxes& boxes = boxesOf(*variable.decomposition);
    for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
      const auto start = static_cast<std::size_t>(boxes.starts[rank]) * cellBytes;
      copyIntoArray(variable.decomposition->lengths(), blocks[rank], cellBytes,
                    here.gathered.data() + start, here.whole.data());
    }
    pool_.giveBack(here.gathered);
  }

  void send(const Step& step, const Plane& plane, UnderWay& here) {
    if (plane.bundleRoot == step.comm.rank()) return;
    const Meter::Lap posting(seconds_->post);
    const Type type = step.schema.variable(plane.piece->variable).type;
    ++step.meter.counters.messages;
    step.meter.counters.messageBytes += static_cast<std::int64_t>(here.whole.size());
    MPI_Isend(here.whole.data(), static_cast<int>(here.whole.size() / bytesOf(type)),
              cellType(type), plane.bundleRoot, 0, step.comm.handle(), &here.request);
  }

  void receive(const Step& step, const Plane& plane, UnderWay& here) {
    if (plane.planeRoot == step.comm.rank()) return;
    const Meter::Lap posting(seconds_->post);
    const Type type = step.schema.variable(plane.piece->variable).type;
    here.whole = pool_.take(static_cast<std::size_t>(bytesOf(step, plane)));
    MPI_Irecv(here.whole.data(), static_cast<int>(here.whole.size() / bytesOf(type)),
              cellType(type), plane.planeRoot, 0, step.comm.handle(), &here.request);
  }

  void writePlane(const Step& step, const Plane& plane, const Buffer& whole) {
    const Variable& variable = step.schema.variable(plane.piece->variable);
    if (step.isThere(variable)) return;
    const NetcdfFile& file = files_.at(variable.bundle);
    const Extent& lengths = variable.decomposition->lengths();
    const Block everything{Extent(lengths.size(), 0), lengths};
    for (Hyperslab& slab : hyperslabs(variable, everything, plane.index, 1)) {
      if (!slab.start.empty()) slab.start[0] += static_cast<std::size_t>(step.start(variable));
      file.check(nc_put_vara(file.id(), variables_.at(plane.piece->variable), slab.start.data(),
                             slab.count.data(), whole.data()),
                 "write variable '" + variable.name + "' to");
    }
  }

  static MPI_Datatype cellType(Type type) {
    switch (bytesOf(type)) {
      case 1:
        return MPI_UINT8_T;
      case 2:
        return MPI_UINT16_T;
      case 4:
        return MPI_UINT32_T;
      default:
        return MPI_UINT64_T;
    }
  }

  void release() {
    for (const auto& [bundle, file] : files_) {
      // Where the file's position is not the expected one, the library takes what errno holds from
      // before for the reason, prints it, and keeps the file.
      errno = 0;
      nc_close(file.id());
    }
    files_.clear();
  }

  bool blocking_;
  std::int64_t windowMebibytes_;
  std::unique_ptr<GatherSeconds> seconds_;
  std::map<int, NetcdfFile> files_;  // of the bundles that this rank writes
  std::map<int, int> variables_;     // ids in these files, by index in the schema
  std::map<const Decomposition*, Boxes> boxes_;
  PlaneMessages mapParts_;  // of the window that is under way
  BufferPool pool_;
};

}  // namespace

std::unique_ptr<Backend> makeGatherBackend(const Options& options) {
  return std::make_unique<GatherBackend>(options);
}

}  // namespace bundleio
