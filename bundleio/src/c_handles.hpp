// The C interface's handles, and how a call on one becomes a status. Only its own files use this.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "guard/room.hpp"
#include "model/communicator.hpp"
#include "model/decomposition.hpp"
#include "model/status.hpp"
#include "step/run.hpp"
#include "step/step_reader.hpp"

struct bio_context {
  explicit bio_context(MPI_Comm original) : comm(original) {}

  bundleio::Communicator comm;
  // Entry 0 stands for BIO_ON_ROOT.
  std::vector<std::shared_ptr<const bundleio::Decomposition>> decompositions{nullptr};
  int openRuns = 0;  // and readers
  std::string message;
};

struct bio_run {
  bio_context* context;
  std::unique_ptr<bundleio::Run> core;
  std::string report;
};

struct bio_reader {
  bio_context* context;
  bundleio::StepReader reader;
  std::vector<const char*> names;  // of the last bio_read_names
};

namespace bundleio {

inline std::string
    initMessage;  // of a bio_init that made no context, and of calls without a handle

inline int noHandle(const char* what) {
  initMessage = std::string("no ") + what + ": it was never opened, or is closed already";
  return BIO_BAD_ARGUMENT;
}

// Where the result goes; nothing can be agreed on without it.
inline int noPlace(bio_context* context, const char* name) {
  context->message = std::string(name) + " is a null pointer";
  return BIO_BAD_ARGUMENT;
}

template <class Work>
int call(std::string& message, Work&& work) {
  const FileLimitAsError limit;
  const Failure outcome = outcomeOf(std::forward<Work>(work));
  if (outcome.status() != BIO_OK) message = outcome.what();
  return outcome.status();
}

// For local calls on a run: a failure becomes everyone's at the next bio_step_end.
template <class Work>
int localCall(bio_run* run, Work&& work) {
  if (run == nullptr) return noHandle("run");
  const Failure outcome = outcomeOf([&] { work(*run->core); });
  if (outcome.status() != BIO_OK) {
    run->context->message = outcome.what();
    run->core->remember(outcome);
  }
  return outcome.status();
}

template <class T>
void checkGiven(const T* pointer, const char* name) {
  if (pointer == nullptr) {
    throw Failure(BIO_BAD_ARGUMENT, std::string(name) + " is a null pointer");
  }
}

// Null stands for BIO_ON_ROOT.
inline std::shared_ptr<const Decomposition> decompositionOf(const bio_context& context,
                                                            int number) {
  const auto& known = context.decompositions;
  if (number < 0 || static_cast<std::size_t>(number) >= known.size()) {
    throw Failure(BIO_BAD_ARGUMENT, "decomposition " + std::to_string(number) + " was not created");
  }
  return known[static_cast<std::size_t>(number)];
}

}  // namespace bundleio
