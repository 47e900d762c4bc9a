// What programs of tests promise of the library: a line for each promise, and how many were broken.
#pragma once

#include <cstdio>
#include <string>

inline int failures = 0;

inline void promise(bool isKept, const std::string& text) {
  std::printf("%s: %s\n", isKept ? "kept" : "BROKEN", text.c_str());
  if (!isKept) ++failures;
}
