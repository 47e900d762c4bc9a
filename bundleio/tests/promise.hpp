// Test programs check promises of the library: a line for each, and a count of the broken ones.
#pragma once

#include <cstdio>
#include <string>

inline int failures = 0;

inline void promise(bool isKept, const std::string& text) {
  std::printf("%s: %s\n", isKept ? "kept" : "BROKEN", text.c_str());
  if (!isKept) ++failures;
}
