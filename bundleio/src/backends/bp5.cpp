// ADIOS2's BP5: all bundles of a step in one BP folder, variables named "bundle/variable". Every
// rank writes its own data where its turn comes, or node-wise aggregators do. Asynchronous, the
// engine copies the values and writes them while the model computes.
#include <adios2.h>

#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <utility>

#include "backends/bp_compression.hpp"
#include "backends/bp_format.hpp"
#include "backends/bp_series.hpp"
#include "backends/factories.hpp"
#include "exchange/box_planes.hpp"
#include "guard/file_system.hpp"
#include "guard/open_files.hpp"
#include "guard/stall_watch.hpp"
#include "model/hyperslab.hpp"
#include "model/layout.hpp"

namespace bundleio {

namespace {

constexpr const char* sharedMemory = "TwoLevelShm";
// Values are copied in pieces of this size. glibc keeps freed pieces below 32 MiB for the next
// step; ADIOS2's own 128 MiB come from the kernel, page by page, at every step: twice the time.
constexpr const char* copyBytes = "16777216";
// Fill values for cells that nobody owns are put in pieces of this size.
constexpr std::size_t fillBytes = 1 << 20;

adios2::Dims dims(const std::vector<std::size_t>& values) { return {values.begin(), values.end()}; }

// ADIOS2 reports by exceptions whose text ends with the cause.
template <class Work>
void withAdios(const std::string& what, Work&& work) {
  try {
    work();
  } catch (const Failure&) {
    throw;
  } catch (const std::exception& error) {
    const std::string text = bpMessage(error.what());
    const auto says = [&](const char* cause) { return text.find(cause) != std::string::npos; };
    const bool isTooLarge = says("File too large");
    const bool isFull = isTooLarge || says("No space left") || says("quota");
    const Status other = says("Permission denied") ? BIO_PERMISSION : BIO_IO;
    throw Failure(isFull ? BIO_NO_SPACE : other,
                  what + ": " + text + (isTooLarge ? fileLimitRemedy() : ""));
  }
}

class Bp5Backend final : public Backend {
 public:
  explicit Bp5Backend(const Options& options)
      : async_(options.flag("async")),
        aggregators_(options.number("aggregators", 0, 1 << 20)),
        compression_(options) {
    const std::string aggregation = options.text("aggregation");
    if (aggregation != "everyone" && aggregation != "shared") {
      throw Failure(BIO_BAD_ARGUMENT,
                    "option aggregation=" + aggregation + ": use everyone or shared");
    }
    aggregation_ = aggregation == "everyone" ? "EveryoneWrites" : sharedMemory;
  }
  ~Bp5Backend() override { giveUp(); }

  // Their number cannot grow: ADIOS2 2.12 then looks for lengths that it has not.
  [[nodiscard]] std::string seriesKey(const Schema& schema, const Communicator& comm,
                                      const std::filesystem::path& folder) const override {
    return "BP5-" + std::to_string(files(comm, folder)) + " " +
           std::to_string(hashOf(storedText(schema)));
  }

  void create(const Step& step) override {
    if (engine_) return;
    list_.reset();
    const std::string path = (step.folder / bpFolderName).string();
    // The file system counts as one of them sees it.
    const auto count =
        step.comm.minimum(step.comm.isRoot() ? files(step.comm, step.folder) : INT_MAX);
    withAdios("create " + path, [&] {
      if (!adios_) adios_ = std::make_unique<adios2::ADIOS>(step.comm.handle());
      io_ = adios_->DeclareIO("step");
      io_.SetEngine("BP5");
      io_.SetParameter("AggregationType", aggregation_);
      io_.SetParameter("NumAggregators", std::to_string(count));
      if (async_) {
        io_.SetParameter("AsyncWrite", "Guided");
        io_.SetParameter("BufferChunkSize", copyBytes);
      }
      // Larger puts are written from where they lie; smaller ones are copied together first.
      io_.SetParameter("MinDeferredSize", "4096");
      // Minima and maxima would cost a pass over all values.
      io_.SetParameter("StatsLevel", "0");
      engine_ = io_.Open(path, step.appends() ? adios2::Mode::Append : adios2::Mode::Write);
      isDefined_ = false;
      isBegun_ = false;
    });
  }

  void define(const Step& step) override {
    if (std::exchange(isDefined_, true)) return;
    withAdios("define", [&] {
      const Schema& schema = step.schema;
      for (const Variable& variable : schema.variables()) {
        const std::string name = bpVariableName(schema, variable);
        withType(variable.type, [&](auto sample) {
          using T = decltype(sample);
          const adios2::Dims shape(variable.lengths.begin(), variable.lengths.end());
          if (shape.empty()) {
            io_.DefineVariable<T>(name);
          } else {
            auto made = io_.DefineVariable<T>(name, shape, adios2::Dims(shape.size(), 0), shape);
            if (compression_.takes(variable)) {
              made.AddOperation(compression_.name, compression_.parameters);
            }
          }
        });
        if (!step.appends()) defineAttributes(variable.attributes, name);
      }
      // They stand with the first step.
      if (step.appends()) return;
      for (const Bundle& bundle : schema.bundles())
        defineAttributes(bundle.attributes, bundle.name);
      // Dimension names, and what else BP does not know.
      io_.DefineAttribute<std::string>(bpLayoutName, layoutText(schema, 0));
    });
  }

  void write(const Step& step, const std::vector<Piece>& pieces) override {
    BoxWindows windows(step, pieces);
    const auto watch = stallWatch(step, "write ");
    FirstFailure failure(step.watchdog);
    const auto attempt = [&](const auto& work) {
      if (failure.occurred()) return;
      failure.attempt([&] { withAdios("write " + (step.folder / bpFolderName).string(), work); });
    };
    attempt([&] {
      if (!std::exchange(isBegun_, true)) engine_.BeginStep();
    });
    while (windows.next()) attempt([&] { putWindow(step, windows); });
    attempt([&] { engine_.EndStep(); });
    isBegun_ = false;
    failure.raise();
  }

  // Not before all ranks have met: a thread that writes would keep the last ones from copying.
  void leave() override { adios_->EnterComputationBlock(); }

  void close(const Step& step) override {
    FirstFailure failure(step.watchdog);
    failure.attempt([&] {
      const auto watch = stallWatch(step, "close ");
      withAdios("close " + (step.folder / bpFolderName).string(), [&] {
        if (async_) adios_->ExitComputationBlock();
        if (!step.staysOpen) return closeEngine();
        // A thread's writes are complete when the next step begins.
        if (async_) engine_.BeginStep();
        isBegun_ = async_;
      });
    });
    step.comm.agree([&] { failure.raise(); });
    if (!step.comm.isRoot()) return;
    if (step.options.number("steps_per_file", 1, INT32_MAX) == 1) {
      BpList::made(step.folder).write(step.folder);
    } else {
      list_ = grownList(step.folder, list_);
    }
  }

  [[nodiscard]] std::string recordText() const override { return list_ ? list_->text() : ""; }

  // A step that is only begun becomes one of its own, which does not count.
  void closeSeries(const Step& step) override {
    FirstFailure failure(step.watchdog);
    failure.attempt([&] { withAdios("close", [&] { closeEngine(); }); });
    // Every step is there already: what fails now costs nothing.
    const Failure outcome = outcomeOf([&] { step.comm.agree([&] { failure.raise(); }); });
    if (outcome.status() != BIO_OK) return abandon(step);
    if (step.comm.isRoot()) cutBpFolder(step.folder, *list_);
  }

  void abandon(const Step& step) override {
    if (async_) {
      divertFiles(step.folder);
    } else {
      closeFiles(step.folder);
    }
    giveUp();
  }

  [[nodiscard]] bool isLossy() const override { return compression_.name == "zfp"; }
  [[nodiscard]] bool isPacked() const override { return !compression_.name.empty(); }
  [[nodiscard]] bool closesLater() const override { return async_; }

 private:
  void closeEngine() {
    engine_.Close();
    engine_ = adios2::Engine();
    adios_->RemoveIO("step");
  }

  // Where the node's ranks share memory, a writer that fails does not come back: all ranks wait.
  [[nodiscard]] std::unique_ptr<StallWatch> stallWatch(const Step& step,
                                                       const std::string& call) const {
    if (aggregation_ != sharedMemory || !step.comm.isRoot()) return nullptr;
    const auto folder = step.folder / bpFolderName;
    return std::make_unique<StallWatch>(step.stallWatchdog, folder, call + folder.string());
  }

  // An engine that was not closed is never destroyed: closing it is collective and would write
  // again, and so does its destructor, which ends the process where that fails; an asynchronous one
  // may still be writing. Own: what it holds is lost; a step that fails is rare.
  void giveUp() {
    static auto& abandoned = *new std::vector<std::unique_ptr<adios2::ADIOS>>;
    if (engine_) abandoned.push_back(std::move(adios_));
    engine_ = adios2::Engine();
    io_ = adios2::IO();
    adios_.reset();
  }

  [[nodiscard]] std::int64_t files(const Communicator& comm,
                                   const std::filesystem::path& folder) const {
    if (aggregators_ > 0) return std::min<std::int64_t>(aggregators_, comm.size());
    if (aggregation_ == sharedMemory) return comm.nodes();
    return bpDataFiles(comm.size(), comm.nodes(), fileSystemOf(folder).isLocal);
  }

  // Readers that know nothing of fill values get zeros for what nobody wrote. The same few values
  // are written as often as it takes.
  void putHoles(const Schema& schema, const PlaneRange& range) {
    const Variable& variable = schema.variable(range.piece->variable);
    const Decomposition& decomposition = *variable.decomposition;
    if (!decomposition.hasHoles()) return;
    const auto [known, isNew] = holes_.try_emplace(&decomposition);
    if (isNew) known->second = holesBetween(decomposition.lengths(), decomposition.blocks());
    const std::size_t cellsMax = fillBytes / bytesOf(variable.type);
    std::vector<std::byte>& values = fills_[variable.fill()];
    values.resize(fillBytes);
    variable.fillCells(static_cast<std::int64_t>(cellsMax), values.data());
    for (const Block& hole : known->second) {
      for (const Hyperslab& slab : hyperslabs(variable, hole, range.first, range.planes)) {
        for (const Hyperslab& part : cut(slab, cellsMax)) {
          putSlab(schema, variable, part, values.data(), adios2::Mode::Deferred);
        }
      }
    }
  }

  // Values that are gone with the window are written with it. Asynchronous, all are copied as soon
  // as they are summed, while the cache has them.
  void putWindow(const Step& step, BoxWindows& windows) {
    bool arePassing = false;
    const std::vector<PlaneRange>& ranges = windows.ranges();
    // Summed from the last to the first: the engine then writes first what the cache still has.
    // Planes of a map, in parts, are summed in their order below, and written at once.
    std::for_each(ranges.rbegin(), ranges.rend(), [&](const PlaneRange& range) {
      if (!async_ && !windows.isPassing(range)) (void)windows.values(range);
    });
    for (const PlaneRange& range : ranges) {
      // Also what is there is compared with the step before, by the sums of what passes here.
      const std::byte* values = windows.values(range);
      if (step.isThere(step.schema.variable(range.piece->variable))) continue;
      putOwn(step.schema, range, values);
      if (step.comm.isRoot()) putHoles(step.schema, range);
      arePassing = arePassing || windows.isPassing(range);
    }
    if (arePassing && !async_) engine_.PerformDataWrite();
  }

  void putOwn(const Schema& schema, const PlaneRange& range, const std::byte* values) {
    const Variable& variable = schema.variable(range.piece->variable);
    const Block& own = variable.decomposition->own();
    if (own.cells() == 0) return;
    const auto mode = async_ ? adios2::Mode::Sync : adios2::Mode::Deferred;
    for (const Hyperslab& slab : hyperslabs(variable, own, range.first, range.planes)) {
      putSlab(schema, variable, slab, values, mode);
      values += slabBytes(slab, variable.type);
    }
  }

  void putSlab(const Schema& schema, const Variable& variable, const Hyperslab& slab,
               const std::byte* values, adios2::Mode mode) {
    withType(variable.type, [&](auto sample) {
      using T = decltype(sample);
      auto target = io_.InquireVariable<T>(bpVariableName(schema, variable));
      if (!variable.lengths.empty()) target.SetSelection({dims(slab.start), dims(slab.count)});
      engine_.Put(target, reinterpret_cast<const T*>(values), mode);
    });
  }

  void defineAttributes(const std::vector<Attribute>& attributes, const std::string& owner) {
    for (const Attribute& attribute : attributes) {
      const std::string name = owner + "/" + attribute.name;
      if (attribute.type == BIO_TEXT) {
        io_.DefineAttribute<std::string>(
            name, std::string(reinterpret_cast<const char*>(attribute.bytes.data()),
                              attribute.bytes.size()));
        continue;
      }
      if (attribute.count == 0) continue;
      withType(attribute.type, [&](auto sample) {
        using T = decltype(sample);
        io_.DefineAttribute<T>(name, reinterpret_cast<const T*>(attribute.bytes.data()),
                               static_cast<std::size_t>(attribute.count));
      });
    }
  }

  bool async_;
  std::map<const Decomposition*, std::vector<Block>> holes_;        // on rank 0, of those with some
  std::map<std::vector<std::byte>, std::vector<std::byte>> fills_;  // on rank 0, by one value
  std::int64_t aggregators_;
  std::string aggregation_;
  BpCompression compression_;
  bool isDefined_ = false;      // in io_
  bool isBegun_ = false;        // the next step
  std::optional<BpList> list_;  // on rank 0, of the last step of a series
  std::unique_ptr<adios2::ADIOS> adios_;
  adios2::IO io_;
  adios2::Engine engine_;
};

}  // namespace

std::unique_ptr<Backend> makeBp5Backend(const Options& options) {
  return std::make_unique<Bp5Backend>(options);
}

}  // namespace bundleio
