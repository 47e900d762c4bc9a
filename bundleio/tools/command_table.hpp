// What each subcommand takes: the one table behind what is refused, --help and the completions of
// a shell.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace bundleio {

/// What a word stands for, which decides what a shell offers for it.
enum class Word { flag, text, folder, file, backend, backends, options, shell };

struct OptionRule {
  std::string name;
  Word value;  // flag: it has none
  std::string shown;
  std::string help;
};

struct CommandRule {
  std::string name;
  void (*run)(const Communicator&, const CommandLine&);
  std::string operands;  // as the help shows them
  Word operand;
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
/// A script for bash that completes subcommands, options, back ends, folders and files.
std::string bashCompletions();

}  // namespace bundleio
