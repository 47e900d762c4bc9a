// How the files of a step become durable. On a parallel file system, fsync stores what this machine
// wrote, and says nothing of what another one still holds: each syncs what its own ranks had open.
#include <optional>
#include <set>
#include <sstream>

#include "step/run.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr char nameEnd = '\0';

// The folder itself, whose name is empty, and all that lies below.
std::set<std::string> namesIn(const fs::path& folder) {
  std::set<std::string> names{""};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    names.insert(entry.path().lexically_relative(folder).string());
  }
  return names;
}

// The names that still exist: a file that its library removed at closing needs no sync.
std::set<std::string> thereOf(const std::set<std::string>& names, const fs::path& folder) {
  std::set<std::string> there;
  std::error_code ignored;
  for (const std::string& name : names) {
    if (fs::exists(folder / name, ignored)) there.insert(name);
  }
  return there;
}

std::string joinedNames(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + nameEnd;
  return text;
}

std::set<std::string> namesOf(const std::string& text) {
  std::set<std::string> names;
  std::istringstream in(text);
  for (std::string name; std::getline(in, name, nameEnd);) names.insert(name);
  return names;
}

}  // namespace

// The first machine syncs everything: files without values, and folders, are rank 0's. So does one
// where nobody knows what a rank had open.
void Run::syncFiles(std::int64_t number, const fs::path& folder,
                    const std::optional<std::set<std::string>>& opened) {
  const Meter::Span span(meter_, Phase::sync);
  std::string mine;
  guarded(number, [&] {
    const bool isAll = comm_.isRoot() || !opened;
    mine = joinedNames(isAll ? namesIn(folder) : thereOf(*opened, folder));
  });
  const std::set<std::string> names = namesOf(comm_.gatherOnNode(mine));
  watched(number, [&] {
    int turn = 0;
    for (const std::string& name : names) {
      if (turn++ % comm_.ranksOnNode() == comm_.rankOnNode()) syncPath(folder / name);
    }
  });
}

}  // namespace bundleio
