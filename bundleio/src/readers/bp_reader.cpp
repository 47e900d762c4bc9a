// Steps of the bp5 back end, each rank on its own.
#include <adios2.h>

#include <cstdint>
#include <fstream>
#include <locale>
#include <map>

#include "backends/bp_format.hpp"
#include "guard/checksums.hpp"
#include "model/layout.hpp"
#include "readers/readers.hpp"

namespace bundleio {

namespace {

// A step that has no list is read as it is.
void checkSizes(const std::filesystem::path& folder) {
  std::ifstream sizes(folder / bpSizesName);
  sizes.imbue(std::locale::classic());
  std::uintmax_t bytes = 0;
  std::string name;
  while (sizes >> bytes >> name) {
    const auto path = folder / bpFolderName / name;
    std::error_code absent;
    const std::uintmax_t found = std::filesystem::file_size(path, absent);
    if (absent) throw Failure(BIO_FORMAT, path.string() + " is missing");
    // Larger is none of our business: the list may stem from a client that saw less.
    if (found >= bytes) continue;
    throw Failure(BIO_FORMAT, path.string() + " has " + std::to_string(found) +
                                  " bytes instead of " + std::to_string(bytes));
  }
}

class BpReader final : public Reader {
 public:
  explicit BpReader(const std::filesystem::path& folder)
      : path_((folder / bpFolderName).string()), adios_(MPI_COMM_SELF) {
    checkSizes(folder);
    if (const auto checksums = Checksums::read(folder)) checksums->checkFiles(folder);
    readable([&] {
      io_ = adios_.DeclareIO("step");
      io_.SetEngine("BP5");
      // Ranks read at once; each with threads of its own, they would only wait for each other.
      io_.SetParameter("Threads", "1");
      engine_ = io_.Open(path_, adios2::Mode::ReadRandomAccess);
      const auto layout = io_.InquireAttribute<std::string>(bpLayoutName);
      if (!layout) throw Failure(BIO_FORMAT, path_ + " was not written by bundleio");
      adopt(parseLayout(layout.Data().at(0), 0).schema);
    });
  }
  ~BpReader() override {
    // Nothing is lost with a file that was only read.
    (void)outcomeOf([&] {
      if (engine_) engine_.Close();
    });
  }

  [[nodiscard]] const char* format() const override { return "BP5"; }

  void read(int index, const Block& box, std::byte* values) override {
    const Variable& variable = schema().variable(index);
    readable([&] {
      withType(variable.type, [&](auto sample) {
        using T = decltype(sample);
        T* target = reinterpret_cast<T*>(values);
        auto source = io_.InquireVariable<T>(bpVariableName(schema(), variable));
        // Cells that nobody wrote are left alone by the library.
        if (!variable.lengths.empty() && hasHoles(index, source)) {
          variable.fillCells(box.cells(), values);
        }
        if (!source || box.cells() == 0) return;
        if (!variable.lengths.empty()) {
          source.SetSelection({adios2::Dims(box.start.begin(), box.start.end()),
                               adios2::Dims(box.count.begin(), box.count.end())});
        }
        engine_.Get(source, target, adios2::Mode::Sync);
      });
    });
  }

 private:
  // Blocks never overlap: if their cells are fewer than the variable's, some were not written.
  template <class T>
  bool hasHoles(int index, const adios2::Variable<T>& source) {
    const auto [known, isNew] = holes_.emplace(index, true);
    if (!isNew || !source) return known->second;
    std::int64_t written = 0;
    for (const auto& block : engine_.BlocksInfo(source, 0)) {
      written += cellCount(Extent(block.Count.begin(), block.Count.end()));
    }
    known->second = written < cellCount(schema().variable(index).lengths);
    return known->second;
  }

  template <class Work>
  void readable(Work&& work) const {
    try {
      work();
    } catch (const Failure&) {
      throw;
    } catch (const std::exception& error) {
      throw Failure(BIO_FORMAT, "read " + path_ + ": " + bpMessage(error.what()));
    }
  }

  std::string path_;
  adios2::ADIOS adios_;
  adios2::IO io_;
  adios2::Engine engine_;
  std::map<int, bool> holes_;  // of variables that were read
};

}  // namespace

std::unique_ptr<Reader> openBp(const std::filesystem::path& folder) {
  return std::make_unique<BpReader>(folder);
}

}  // namespace bundleio
