#include "place.hpp"

#include <pio.h>

#include <filesystem>
#include <fstream>
#include <functional>

namespace fs = std::filesystem;

namespace bundleio_pio {

namespace {

constexpr const char* kSuffix = ".steps";
constexpr const char* kSeries = "series-000000";

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
    fs::create_symlink(run.filename() / kSeries / file, path);
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

Growing findGrowing(const System& system, const std::string& path) {
  const std::string run = findPlace(system, path);
  const std::string kind = onFirst(system, [&] {
    const fs::path file = fs::canonical(path);
    if (file.parent_path().filename() != kSeries) {
      throw Failure(PIO_EPERM, "'" + path +
                                   "' was made by an earlier version, which let NetCDF-4 files "
                                   "hold one frame: no other can be added");
    }
    std::ifstream in(file, std::ios::binary);
    return std::string(in.get() == 0x89 ? "hdf5" : "classic");
  });
  return {run, kind == "hdf5"};
}

void requireOneFile(const System& system, const std::string& run) {
  onFirst(system, [&] {
    for (const auto& entry : fs::directory_iterator(run)) {
      const std::string name = entry.path().filename().string();
      if (name.rfind("series-", 0) != 0 || name == kSeries) continue;
      throw Failure(PIO_EIO, "frames were added in a file of their own, '" + entry.path().string() +
                                 "': the definitions are not those of the file before");
    }
    return std::string();
  });
}

}  // namespace bundleio_pio
