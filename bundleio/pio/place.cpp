#include "place.hpp"

#include <pio.h>

#include <filesystem>
#include <functional>

namespace fs = std::filesystem;

namespace bundleio_pio {

namespace {

constexpr const char* kSuffix = ".steps";

// Rank 0 works; all get its answer, or its failure.
std::string onFirst(const System& system, const std::function<std::string()>& work) {
  std::string answer, failure;
  int code = PIO_NOERR;
  if (system.isFirst()) {
    try {
      answer = work();
    } catch (const Failure& failed) {
      code = failed.code;
      failure = failed.what();
    } catch (const std::exception& failed) {
      code = PIO_EIO;
      failure = failed.what();
    }
  }
  MPI_Bcast(&code, 1, MPI_INT, 0, system.comm());
  answer = system.told(code == PIO_NOERR ? answer : failure);
  if (code != PIO_NOERR) throw Failure(code, answer, true);
  return answer;
}

}  // namespace

std::string makePlace(const System& system, const std::string& path, bool keep) {
  return onFirst(system, [&] {
    const fs::file_status there = fs::symlink_status(path);
    if (fs::is_directory(there)) {
      throw Failure(PIO_EEXIST, "'" + path + "' is a folder: remove it, or take another name");
    }
    if (fs::exists(there)) {
      if (keep) throw Failure(PIO_EEXIST, "'" + path + "' exists, and PIO_NOCLOBBER keeps it");
      fs::remove(path);
    }
    return path + kSuffix;
  });
}

void showFile(const System& system, const std::string& path) {
  onFirst(system, [&] {
    const fs::path run = path + kSuffix, file = std::string(kBundle) + ".nc";
    fs::path folder = "series-000000";
    if (!fs::exists(run / folder / file)) folder = "step-000000";
    fs::create_symlink(run.filename() / folder / file, path);
    return std::string();
  });
}

std::string findPlace(const System& system, const std::string& path) {
  return onFirst(system, [&] {
    if (!fs::exists(path)) throw Failure(PIO_EIO, "there is no file '" + path + "'");
    const fs::path file = fs::canonical(path), run = file.parent_path().parent_path();
    if (file.filename() != std::string(kBundle) + ".nc" || !fs::is_directory(run)) {
      throw Failure(
          PIO_EIO,
          "'" + path +
              "' was not made by PIOc_createfile of bundleio_pio, which reads no other file");
    }
    return run.string();
  });
}

}  // namespace bundleio_pio
