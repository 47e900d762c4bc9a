// Errors as one type with one code; the codes are those of the C interface.
#pragma once

#include <bundleio/bundleio.h>

#include <exception>
#include <filesystem>
#include <string>
#include <utility>

namespace bundleio {

using Status = bio_status;

/// A failure, in one line that names the bad value and what to change.
class Failure : public std::exception {
 public:
  Failure(Status status, std::string message) : status_(status), message_(std::move(message)) {}
  [[nodiscard]] Status status() const noexcept { return status_; }
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  Status status_;
  std::string message_;
};

/// Words to add where a file was too large, beginning with ": ": the limit that was met, and how to
/// get past it.
[[nodiscard]] std::string fileLimitRemedy();

/// A failed system call: `errorNumber` decides the status.
Failure systemFailure(int errorNumber, const std::string& what);

/// The same of one in which the standard library failed.
Failure systemFailure(const std::filesystem::filesystem_error& error);

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
  } catch (const std::filesystem::filesystem_error& error) {
    return systemFailure(error);
  } catch (const std::exception& error) {
    return {BIO_INTERNAL, error.what()};
  }
}

}  // namespace bundleio
