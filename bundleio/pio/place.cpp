#include "place.hpp"

#include <fcntl.h>
#include <pio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

namespace fs = std::filesystem;

namespace bundleio_pio {

namespace {

constexpr const char* kSuffix = ".steps";
constexpr const char* kSeries = "series-000000";
constexpr int kLinksMax = 40;  // as Linux

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

void syncPath(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool isSynced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int problem = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!isSynced) throw Failure(PIO_EIO, "sync " + path.string() + ": " + std::strerror(problem));
}

std::string placeNumber(const std::string& path, int number) {
  return path + kSuffix + (number == 1 ? "" : "." + std::to_string(number));
}

// The run's folder as the link says, whether it is there or not; empty where `path` is no link that
// was made here under this name.
std::string placeByLink(const std::string& path) {
  if (!fs::is_symlink(fs::symlink_status(path))) return "";
  const std::string folder = fs::read_symlink(path).parent_path().parent_path().string();
  const std::string first = fs::path(path).filename().string() + kSuffix;
  const bool isOurs = folder == first || folder.rfind(first + ".", 0) == 0;
  return isOurs ? (fs::path(path).parent_path() / folder).string() : "";
}

// Made here, under whatever name.
bool leadsIntoRun(const fs::path& link) {
  const fs::path file = fs::read_symlink(link), run = file.parent_path().parent_path();
  return file.filename() == std::string(kBundle) + ".nc" &&
         run.filename().string().find(kSuffix) != std::string::npos;
}

// Collective. What cannot be read may be worth keeping.
bool holdsFrames(const System& system, const std::string& folder) {
  if (onFirst(system, [&] { return std::string(fs::exists(folder) ? "there" : ""); }).empty())
    return false;
  bio_reader* reader = nullptr;
  const int status =
      bio_read_open(system.context(), folder.c_str(), BIO_LAST_STEP, nullptr, &reader);
  if (status == BIO_OK) system.check(bio_read_close(reader));
  return status != BIO_NOT_FOUND;
}

}  // namespace

std::string followLinks(const System& system, const std::string& path) {
  return onFirst(system, [&] {
    fs::path name = path;
    for (int links = 0; fs::is_symlink(fs::symlink_status(name)) && !leadsIntoRun(name);) {
      if (++links > kLinksMax)
        throw Failure(PIO_EIO, "'" + path + "' leads through too many links");
      name = name.parent_path() / fs::read_symlink(name);
    }
    return name.string();
  });
}

std::string findFreePlace(const System& system, const std::string& path, bool keep) {
  const std::string linked = onFirst(system, [&] {
    const fs::file_status there = fs::symlink_status(path);
    if (fs::is_directory(there)) {
      throw Failure(PIO_EEXIST, "'" + path + "' is a folder: remove it, or take another name");
    }
    if (fs::exists(there) && keep)
      throw Failure(PIO_EEXIST, "'" + path + "' exists, and PIO_NOCLOBBER keeps it");
    return placeByLink(path);
  });
  if (!linked.empty()) return linked;
  int number = 1;
  while (holdsFrames(system, placeNumber(path, number))) ++number;
  const std::string free = placeNumber(path, number);
  if (number > 1 && system.isFirst()) {
    std::fprintf(
        stderr,
        "bundleio_pio: '%s' holds frames of a file that was renamed or removed, and stays: "
        "'%s' is made in '%s'\n",
        placeNumber(path, number - 1).c_str(), path.c_str(), free.c_str());
  }
  return free;
}

void hideFile(const System& system, const std::string& path) {
  onFirst(system, [&] {
    fs::remove(path);
    return std::string();
  });
}

void showFile(const System& system, const std::string& path, const std::string& folder) {
  onFirst(system, [&] {
    const fs::path file = std::string(kBundle) + ".nc";
    fs::create_symlink(fs::path(folder).filename() / kSeries / file, path);
    return std::string();
  });
}

void syncFile(const System& system, const std::string& path, const std::string& folder) {
  const fs::path run = folder, series = run / kSeries;
  system.agree([&] {
    syncPath(series / (std::string(kBundle) + ".nc"));
    if (!system.isFirst()) return;
    for (const auto& entry : fs::directory_iterator(series)) {
      if (entry.is_regular_file()) syncPath(entry.path());
    }
    const fs::path here = fs::path(path).parent_path();
    for (const fs::path& last : {series, run, here.empty() ? fs::path(".") : here}) syncPath(last);
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
