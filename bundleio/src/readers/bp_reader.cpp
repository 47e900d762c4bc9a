// Steps of the bp5 back end, each rank on its own.
#include <adios2.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "backends/bp_format.hpp"
#include "backends/bp_series.hpp"
#include "guard/checksums.hpp"
#include "model/decomposition.hpp"
#include "model/layout.hpp"
#include "readers/readers.hpp"
#include "readers/series_index.hpp"

namespace bundleio {

namespace {

class BpReader final : public Reader {
 public:
  explicit BpReader(const StepPlace& place)
      : path_((place.folder / bpFolderName).string()), record_(place.record) {
    const std::string path = place.record < 0 ? checkOwn(place.folder) : viewOf(place);
    readable([&] {
      io_ = adios_.DeclareIO("step");
      io_.SetEngine("BP5");
      // Ranks read at once; each with threads of its own, they would only wait for each other.
      io_.SetParameter("Threads", "1");
      // The first step has the attributes, and what is stored once.
      if (record_ > 0) io_.SetParameter("SelectSteps", "0 " + std::to_string(record_));
      engine_ = io_.Open(path, adios2::Mode::ReadRandomAccess);
      const auto layout = io_.InquireAttribute<std::string>(bpLayoutName);
      if (!layout) throw Failure(BIO_FORMAT, path_ + " was not written by bundleio");
      adopt(parseLayout(layout.Data().at(0), 0).schema);
    });
  }
  // An engine that is closed leaves a file of its times in /tmp, whatever parameter Profile says;
  // one that is destroyed closes what it has open.
  ~BpReader() override = default;

  [[nodiscard]] const char* format() const override { return "BP5"; }

  void read(int index, const Block& box, std::byte* values) override {
    const Variable& variable = schema().variable(index);
    readable([&] {
      withType(variable.type, [&](auto sample) {
        using T = decltype(sample);
        if (variable.bytes() == 0 || box.cells() == 0) return;
        if (looked_.count(index) == 0) (void)blocksOf<T>(index);
        looked_.insert(index);
        auto source = io_.InquireVariable<T>(bpVariableName(schema(), variable));
        if (!variable.lengths.empty()) {
          source.SetSelection({adios2::Dims(box.start.begin(), box.start.end()),
                               adios2::Dims(box.count.begin(), box.count.end())});
        }
        source.SetStepSelection({stepOf(variable), 1});
        engine_.Get(source, reinterpret_cast<T*>(values), adios2::Mode::Sync);
      });
    });
  }

  // Two cells of each block: where it lies, and what it is unpacked to.
  void probe() override {
    for (std::size_t number = 0; number < schema().variables().size(); ++number) {
      const auto index = static_cast<int>(number);
      withType(schema().variable(index).type, [&](auto sample) {
        std::vector<Block> blocks;
        readable([&] { blocks = blocksOf<decltype(sample)>(index); });
        for (Block& block : blocks) {
          if (block.cells() == 0) continue;
          const Extent count = std::exchange(block.count, Extent(block.count.size(), 1));
          auto* cell = reinterpret_cast<std::byte*>(&sample);
          read(index, block, cell);
          for (std::size_t dim = 0; dim < count.size(); ++dim) block.start[dim] += count[dim] - 1;
          read(index, block, cell);
        }
      });
    }
  }

 private:
  // A step that has no list is read as it is.
  [[nodiscard]] std::string checkOwn(const std::filesystem::path& folder) const {
    if (const auto list = BpList::read(folder)) list->check(folder);
    if (const auto checksums = Checksums::read(folder)) checksums->checkFiles(folder);
    return path_;
  }

  std::string viewOf(const StepPlace& place) {
    const std::string index = (place.folder / seriesIndexName).string();
    view_.emplace(place.folder, BpList::parsed(place.files, index));
    return view_->path().string();
  }

  // Among those that were selected.
  [[nodiscard]] std::size_t stepOf(const Variable& variable) const {
    return record_ > 0 && schema().bundleOf(variable).isUnlimited(variable) ? 1 : 0;
  }

  // The blocks of a variable. They cover it, or the metadata are damaged.
  template <class T>
  std::vector<Block> blocksOf(int index) {
    const Variable& variable = schema().variable(index);
    if (variable.bytes() == 0) return {};
    const std::string name = "'" + bpVariableName(schema(), variable) + "'";
    const auto source = io_.InquireVariable<T>(bpVariableName(schema(), variable));
    const adios2::Dims lengths(variable.lengths.begin(), variable.lengths.end());
    if (!source || source.Shape() != lengths) {
      throw Failure(BIO_FORMAT, path_ + " is damaged: " + name + " is not what was defined");
    }
    if (lengths.empty()) return {Block{}};
    std::vector<Block> blocks;
    for (const auto& info : engine_.BlocksInfo(source, stepOf(variable))) {
      blocks.push_back({Extent(info.Start.begin(), info.Start.end()),
                        Extent(info.Count.begin(), info.Count.end())});
      if (blocks.back().start.size() == lengths.size() &&
          blocks.back().count.size() == lengths.size())
        continue;
      throw Failure(BIO_FORMAT, path_ + " is damaged: " + name + " has a part of another shape");
    }
    if (Decomposition::fromBlocks(variable.lengths, blocks, 0).hasHoles() || findOverlap(blocks)) {
      throw Failure(BIO_FORMAT, path_ + " is damaged: the parts of " + name + " do not cover it");
    }
    return blocks;
  }

  template <class Work>
  void readable(Work&& work) const {
    try {
      work();
    } catch (const Failure& failure) {
      const bool isTold = std::string(failure.what()).find(path_) != std::string::npos;
      if (failure.status() == BIO_FORMAT && isTold) throw;
      throw Failure(BIO_FORMAT, path_ + " is damaged: " + failure.what());
    } catch (const std::exception& error) {
      const std::string text = bpMessage(error.what());
      // A file that could not be read need not be damaged.
      const auto says = [&](int code) {
        return text.find(std::strerror(code)) != std::string::npos;
      };
      const bool isUnread = says(EIO) || says(ESTALE) || says(EACCES) || says(EMFILE);
      throw Failure(isUnread ? BIO_IO : BIO_FORMAT, "read " + path_ + ": " + text);
    }
  }

  std::string path_;
  std::int64_t record_;         // of a series; -1: the folder holds one step
  std::optional<BpView> view_;  // outlives the engine
  adios2::ADIOS adios_;
  adios2::IO io_;
  adios2::Engine engine_;
  std::set<int> looked_;  // variables whose blocks cover them
};

}  // namespace

std::unique_ptr<Reader> openBp(const StepPlace& place) { return std::make_unique<BpReader>(place); }

}  // namespace bundleio
