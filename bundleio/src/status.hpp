// Errors as one type with one code; the codes are those of the C interface.
#pragma once

#include <bundleio/bundleio.h>

#include <exception>
#include <string>
#include <utility>

namespace bundleio {

using Status = bio_status;

/// What went wrong, in one line that names the bad value and what to change.
class Failure : public std::exception {
 public:
  Failure(Status status, std::string message) : status_(status), message_(std::move(message)) {}
  [[nodiscard]] Status status() const noexcept { return status_; }
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  Status status_;
  std::string message_;
};

/// A failed system call: `errorNumber` decides the status.
Failure systemFailure(int errorNumber, const std::string& what);

/// Runs `work` and turns whatever it throws into a Failure; BIO_OK with empty text if it succeeds.
template <class Work>
Failure outcomeOf(Work&& work) {
  try {
    work();
    return {BIO_OK, ""};
  } catch (const Failure& failure) {
    return failure;
  } catch (const std::bad_alloc&) {
    return {BIO_INTERNAL, "not enough memory"};
  } catch (const std::exception& error) {
    return {BIO_INTERNAL, error.what()};
  }
}

/// Keeps the first failure of several actions that must all be tried: between collective calls of
/// a library one rank may not leave early, or the others would wait for it forever.
class FirstFailure {
 public:
  template <class Work>
  void attempt(Work&& work) {
    const Failure outcome = outcomeOf(std::forward<Work>(work));
    if (first_.status() == BIO_OK) first_ = outcome;
  }
  [[nodiscard]] bool occurred() const { return first_.status() != BIO_OK; }
  void raise() const {
    if (occurred()) throw first_;
  }

 private:
  Failure first_{BIO_OK, ""};
};

}  // namespace bundleio
