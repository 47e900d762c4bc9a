// bundleio completions: a script for bash, made of the table that command lines are checked
// against.
#include <cstdio>

#include "backend.hpp"
#include "command_table.hpp"
#include "joined.hpp"
#include "options.hpp"
#include "status.hpp"

namespace bundleio {

namespace {

// What to offer for a word; $word is as far as it was typed.
std::string offerFor(Word kind) {
  switch (kind) {
    case Word::folder:
      return "_bundleio_paths -d";
    case Word::file:
      return "_bundleio_paths -f";
    case Word::backend:
      return "_bundleio_words \"$backends auto\"";
    case Word::backends:
      return "_bundleio_list \"$backends all\"";
    case Word::options:
      return "_bundleio_keys";
    case Word::shell:
      return "_bundleio_words bash";
    default:
      return ":";
  }
}

constexpr const char* helpers = R"(
_bundleio_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }
_bundleio_paths() {
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen "$1" -- "$word")
}
# A,B,...: only what follows the last comma is new.
_bundleio_list() {
  local before=
  [[ $word == *,* ]] && before=${word%,*},
  compopt -o nospace
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${word##*,}")
}
_bundleio_keys() {
  compopt -o nospace
  mapfile -t COMPREPLY < <(compgen -S = -W "$keys" -- "$word")
}
_bundleio() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
)";

}  // namespace

std::string bashCompletions() {
  std::vector<std::string> names;
  std::string values;
  std::string rest;
  for (const CommandRule& rule : commandRules()) {
    names.push_back(rule.name);
    std::vector<std::string> flags{"--help"};
    for (const OptionRule& option : rule.options) {
      flags.push_back("--" + option.name);
      if (option.value == Word::flag) continue;
      values += "    " + rule.name + ":--" + option.name + ") " + offerFor(option.value) +
                "; return ;;\n";
    }
    rest += "    " + rule.name + ":-*) _bundleio_words \"" + joined(flags, " ") + "\" ;;\n";
    rest += "    " + rule.name + ":*) " + offerFor(rule.operand) + " ;;\n";
  }
  return "# Completions of bundleio for bash, as `bundleio completions bash` prints them.\n" +
         std::string(helpers) + "  local backends=\"" + joined(backendNames(), " ") +
         "\"\n  local keys=\"" + joined(optionKeys(), " ") +
         "\"\n  COMPREPLY=()\n  if ((COMP_CWORD == 1)); then\n    _bundleio_words \"" +
         joined(names, " ") + " --help\"\n    return\n  fi\n  case $command:$before in\n" + values +
         "  esac\n  case $command:$word in\n" + rest +
         "  esac\n}\ncomplete -F _bundleio bundleio\n";
}

// Those that there are need no MPI: see main.cpp.
void completions(const Communicator& /*comm*/, const CommandLine& line) {
  throw Failure(BIO_BAD_ARGUMENT, "no completions for '" + line.operands()[0] + "': use bash");
}

}  // namespace bundleio
