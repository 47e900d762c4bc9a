// Writes down what a model does with an open run, so that it can be repeated without the model.
//
// A put costs an entry of a list; the end of a step one gathering of 24 bytes a rank and one
// broadcast. A recording that fails ends on all ranks and never becomes an error of the run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/communicator.hpp"
#include "record/pattern_file.hpp"
#include "record/pattern_text.hpp"

namespace bundleio {

class Recorder {
 public:
  /// Records into `path`, or, if that is empty, into what BUNDLEIO_RECORD says on rank 0; null
  /// without either. Collective.
  static std::unique_ptr<Recorder> start(const Communicator& comm, std::string path,
                                         const std::string& backend, const std::string& options);
  /// Completes the file. Local.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void stepBegun() noexcept;
  void put(const PutRange& range) noexcept;
  /// The model called stepEnd or wait: the time until now was the model's own.
  void arrived() noexcept;
  /// The step is written. Collective.
  void stepEnded(const Schema& schema) noexcept;
  /// Nothing came of it. Local.
  void failed() noexcept;
  /// Ranks may wait at different times or not at all: rank 0's counts. Local.
  void waited() noexcept;

 private:
  // The row that each rank sends to rank 0 for a step.
  struct Row {
    std::int64_t gapMicroseconds;
    std::int64_t takenMicroseconds;
    std::uint64_t hash;  // of what it put
  };

  Recorder(const Communicator& comm, std::unique_ptr<PatternFile> file);

  void recordDefinitions(const Schema& schema);
  void recordCells(const Decomposition& map);
  void recordStep(std::int64_t taken);
  void recordList(int sender);
  std::vector<int> ranksWithNewLists();
  void writeStep();
  void sendText(const std::string& text) const;
  /// Into the file; false if there was none.
  bool receiveText(int rank);
  void leave() noexcept;

  const Communicator& comm_;
  std::unique_ptr<PatternFile> file_;            // on rank 0
  std::vector<Row> rows_;                        // on rank 0
  std::string received_;                         // on rank 0: a piece of a text
  std::map<std::uint64_t, std::int64_t> lists_;  // on rank 0: hash and number of those written
  bool stopped_ = false;                         // on all ranks
  bool incomplete_ = false;                      // there was no memory for a put of this step
  std::vector<PutRange> puts_;
  std::vector<PutRange> hashedPuts_;
  std::uint64_t hash_;  // of hashedPuts_
  std::int64_t steps_ = 0;
  double leftSeconds_ = 0;  // when the model got control again
  double arrivedSeconds_ = 0;
  double gapSeconds_ = 0;  // outside of the library since the last step
};

}  // namespace bundleio
