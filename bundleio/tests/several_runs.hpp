// Several runs of one program by one job, whose start costs more than most runs: on the command
// line "--then" stands between the words of two.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

/// Calls `run` with the words of each run, up to the first that returns another code than 0;
/// returns that code.
template <class Run>
int runEach(int argc, char** argv, Run&& run) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  int code = 0;
  for (auto first = words.begin(); code == 0 && first != words.end();) {
    const auto last = std::find(first, words.end(), "--then");
    code = run(std::vector<std::string>(first, last));
    first = last == words.end() ? last : last + 1;
  }
  return code;
}
