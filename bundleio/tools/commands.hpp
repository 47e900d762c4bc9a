// The subcommands of the tool; each throws Failure, with the same outcome on all ranks.
#pragma once

#include <string>
#include <vector>

#include "communicator.hpp"

namespace bundleio {

void bench(const Communicator& comm, const std::vector<std::string>& words);
void check(const Communicator& comm, const std::vector<std::string>& words);
void convert(const Communicator& comm, const std::vector<std::string>& words);
void drain(const Communicator& comm, const std::vector<std::string>& words);
void dump(const Communicator& comm, const std::vector<std::string>& words);
void record(const Communicator& comm, const std::vector<std::string>& words);
void replay(const Communicator& comm, const std::vector<std::string>& words);

}  // namespace bundleio
