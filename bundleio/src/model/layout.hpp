// A schema as text: the index of the posix format, an attribute of BP files, and what ranks compare
// to agree that they defined the same. Its grammar is in ARCHITECTURE.md.
#pragma once

#include <cstdint>
#include <string>

#include "model/schema.hpp"

namespace bundleio {

/// The attribute of BP files that holds it.
inline constexpr const char* bpLayoutName = "bundleio/layout";

/// A line per item; equal schemas give equal text, on every rank. `ranks` 0 leaves the boxes out.
std::string layoutText(const Schema& schema, int ranks);
/// The same for all but who owns what, as if rank 0 held every variable: what shows in files that
/// ranks share.
std::string storedText(const Schema& schema);

/// The same for ranks to compare: in the place of its boxes, each decomposition has its
/// fingerprint, so that neither the text nor a message grows with the ranks.
std::string comparedText(const Schema& schema);

/// The first line in which two layouts differ, in words for a message.
std::string firstDifference(const std::string& mine, const std::string& roots);

struct Layout {
  Schema schema;
  int ranks;
};
/// Reads layoutText back as rank `rank` of its ranks sees it; any rank may be asked for.
Layout parseLayout(const std::string& text, int rank);

/// Everything but letters, digits and "._-" becomes %XX: safe in file names and in lines.
std::string encoded(const std::string& name);
std::string decoded(const std::string& text);

std::uint64_t hashOf(const std::string& text);

}  // namespace bundleio
