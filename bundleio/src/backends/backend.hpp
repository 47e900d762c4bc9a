// The seam: what a format must be able to do. One object writes the steps of one run, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "exchange/rounding.hpp"
#include "exchange/step.hpp"

namespace bundleio {

/// Every function is called by all ranks, in the order create, define, write, close; after
/// a failure anywhere only abandon follows. A function must make all its collective calls even if
/// one of its own fails (see FirstFailure), and then throw.
class Backend {
 public:
  Backend() = default;
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// Describes files in `folder` with several steps of this schema, in words without line breaks:
  /// steps of another run or back end with the same words may follow. On rank 0.
  [[nodiscard]] virtual std::string seriesKey(const Schema& schema, const Communicator& comm,
                                              const std::filesystem::path& folder) const = 0;

  /// The files are there already where the step appends, and may still be open.
  virtual void create(const Step& step) = 0;
  virtual void define(const Step& step) = 0;
  /// Values are read until this returns, not longer.
  virtual void write(const Step& step, const std::vector<Piece>& pieces) = 0;
  /// True: openBoxes and, as often as ranks like, writeBox may take the place of write.
  [[nodiscard]] virtual bool takesBoxes() const { return false; }
  virtual void openBoxes(const Step& /*step*/) {}
  /// Writes a box over all dimensions of a variable, whatever its decomposition. Local; the
  /// boxes of a step must not overlap.
  virtual void writeBox(const Step& /*step*/, int /*variable*/, const Block& /*box*/,
                        const std::byte* /*values*/) {}
  /// From here on what was written can be read. Where the step stays open, so may the files.
  virtual void close(const Step& step) = 0;
  /// Follows close, on rank 0: what the index of a series keeps for readers of this step, as lines
  /// of text.
  [[nodiscard]] virtual std::string recordText() const { return ""; }
  /// No step follows the last one in its files: closes those that stayed open. Collective.
  virtual void closeSeries(const Step& /*step*/) {}
  /// Follows close on all ranks: does every file hold what was written? Local.
  virtual void verify(const Step& /*step*/) {}
  /// How values are rounded on their way into files, as the user asked for it.
  [[nodiscard]] virtual Rounding rounding() const { return {}; }
  /// True: what can be read is neither what was put nor what the rounding makes of it, as the user
  /// asked for it.
  [[nodiscard]] virtual bool isLossy() const { return false; }
  /// True: files are shared through MPI-IO.
  [[nodiscard]] virtual bool usesMpiIo() const { return false; }
  /// True: how much values take in files, and where they lie, is not known before.
  [[nodiscard]] virtual bool isPacked() const { return false; }
  /// True: what is missing of values is a hole in their file, which verify sees.
  [[nodiscard]] virtual bool lossesShow(const Schema& /*schema*/) const { return true; }
  /// Releases what is open; the folder is then removed.
  virtual void abandon(const Step& step) = 0;
  /// True: close may wait until the application comes back, while data flow in the background.
  [[nodiscard]] virtual bool closesLater() const { return false; }
  /// Follows write on all ranks, right before the application goes on: what flows in the background
  /// may begin to. Local.
  virtual void leave() {}
};

/// Throws BIO_BAD_ARGUMENT for an unknown name, BIO_NOT_BUILT with the reason for an absent one.
std::unique_ptr<Backend> makeBackend(const std::string& name, const Options& options);
/// Names of the back ends in this build.
std::vector<std::string> backendNames();

/// File of a bundle in a step's folder.
std::filesystem::path bundleFile(const Step& step, const Bundle& bundle);
}  // namespace bundleio
