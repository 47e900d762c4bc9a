// The options of each subcommand: the one table behind refusals and --help.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace bundleio {

struct OptionRule {
  std::string name;
  std::string shown;  // its value in the help; empty: it has none
  std::string help;
};

struct CommandRule {
  std::string name;
  void (*run)(const Communicator&, const CommandLine&);
  std::string operands;  // as the help shows them
  std::size_t operandsLeast;
  std::size_t operandsMost;
  std::string help;
  std::vector<OptionRule> options;
};

const std::vector<CommandRule>& commandRules();
/// Refuses an unknown name with those that there are.
const CommandRule& commandNamed(const std::string& name);

std::string helpOfAll();
std::string helpOf(const CommandRule& rule);

}  // namespace bundleio
