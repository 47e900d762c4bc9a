// The subcommands of the tool; each throws Failure, with the same outcome on all ranks.
#pragma once

#include "command_line.hpp"
#include "model/communicator.hpp"

namespace bundleio {

void bench(const Communicator& comm, const CommandLine& line);
void check(const Communicator& comm, const CommandLine& line);
/// All steps as one series.
void concat(const Communicator& comm, const CommandLine& line);
void convert(const Communicator& comm, const CommandLine& line);
void drain(const Communicator& comm, const CommandLine& line);
void dump(const Communicator& comm, const CommandLine& line);
void record(const Communicator& comm, const CommandLine& line);
void replay(const Communicator& comm, const CommandLine& line);

}  // namespace bundleio
