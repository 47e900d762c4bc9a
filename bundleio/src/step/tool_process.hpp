// Processes of the `bundleio` tool beside a run or a reader. They are no ranks of it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace bundleio {

/// Where the tool lies: said by BUNDLEIO_TOOL, beside this library or program, or found by the
/// shell's rules. Empty where BUNDLEIO_TOOL is.
std::string toolPath();

/// Starts `words` in a session of its own. What it prints goes to `out`, its errors as well;
/// nothing else of this process is open in it. Returns 0 and sets `child`, or an errno.
int startTool(std::vector<std::string> words, int out, pid_t& child);

}  // namespace bundleio
