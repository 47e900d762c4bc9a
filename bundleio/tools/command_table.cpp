#include "command_table.hpp"

#include <algorithm>

#include "model/status.hpp"

namespace bundleio {

namespace {

constexpr const char* exitCodes =
    "exit codes: 0 done, 1 a defect, 2 bad input, 3 state, permission or device\n";

const OptionRule path{"path", "DIR", "folder for the steps, written below DIR/BACKEND; needed"};
const OptionRule repeats{"repeats", "N", "default 1, in turn; medians are printed"};
const OptionRule options{"options", "\"K=V ...\"",
                         "for all back ends: see bundleio/README.md, Options"};
const OptionRule keep{"keep", "", "leave the steps there"};
const OptionRule jsonTo{"json-to", "FILE", "write the same as JSON to FILE, too"};
const OptionRule renumber{"renumber", "", "number the steps from 0; else they keep their numbers"};
const OptionRule json{"json", "", "print JSON only"};

std::vector<CommandRule> makeRules() {
  return {
      {"bench",
       &bench,
       "",
       0,
       0,
       "write steps of a GEOS-5-like model (7 bundles); say where time goes",
       {path,
        {"backends", "A,B,...", "default: all of this build; posix and gather are the yardsticks"},
        {"steps", "N", "default 2"},
        repeats,
        {"grid", "LATxLON", "default 144x288"},
        {"scaling", "WHICH", "strong: ranks share the grid (default); weak: each has such a grid"},
        {"planes", "N", "percent of the planes, default 100"},
        options,
        {"pairs", "N", "steps of A and B in turn in one job, N of each: B's time by A's"},
        {"compute-ms", "N", "busy computation between steps, default 0"},
        {"work", "N", "after each step, N passes over 64 KiB: equal work, not equal time"},
        keep,
        json,
        jsonTo}},
      {"dump",
       &dump,
       "RUN",
       1,
       1,
       "print what the last step holds, with a checksum for each variable",
       {{"step", "N", "another step than the last"},
        {"variable", "B/V", "print its values instead: of variable V in bundle B"},
        {"start", "N,N,...", "for each dimension, slowest first; default 0"},
        {"count", "N,N,...", "default: up to the last entry"},
        {"stride", "N,N,...", "default 1"}}},
      {"check",
       &check,
       "RUN [OTHER]",
       1,
       2,
       "compare every step with its checksums, and with OTHER bit by bit",
       {{"run-ended", "", "no run writes to RUN any more: undo first what a killed one left"},
        json}},
      {"convert",
       &convert,
       "FROM TO",
       2,
       2,
       "rewrite all steps; they are compared after writing",
       {{"to", "BACKEND", "default pnetcdf"},
        {"options", "\"K=V ...\"", "for that back end"},
        renumber,
        {"append", "", "go on where an earlier conversion ended"}}},
      {"concat",
       &concat,
       "FROM TO",
       2,
       2,
       "join all steps in one file per bundle; compared after writing",
       {{"to", "BACKEND", "default pnetcdf"},
        {"options", "\"K=V ...\"", "for that back end"},
        renumber,
        {"append", "", "go on where an earlier one ended"}}},
      {"drain",
       &drain,
       "FAST SLOW",
       2,
       2,
       "move complete steps from a fast tier; each is compared before it goes",
       {{"to", "BACKEND", "rewrite them; default: BP to pnetcdf, others are copied as they are"},
        {"options", "\"K=V ...\"", "for that back end"},
        {"mib-per-second", "N", "no faster than that on average, default 0: no limit"},
        {"idle-seconds", "N", "go on until no step has come for so long, default 0"},
        {"while-written", "",
         "go on while a run with drain=yes writes to FAST; such runs start it"},
        {"no-other-drain", "",
         "no other moves steps to SLOW, which has no locks that would tell"}}},
      {"record",
       &record,
       "FILE",
       1,
       1,
       "check what BUNDLEIO_RECORD=FILE recorded of a model, and print it",
       {json}},
      {"replay",
       &replay,
       "FILE",
       1,
       1,
       "write the same with other values and back ends; say where time goes",
       {path,
        {"backends", "A,B,...", "or all; default: the recorded one, with its options"},
        {"steps", "N", "default: as many as recorded; more begin again at the first"},
        repeats,
        options,
        keep,
        json,
        jsonTo,
        {"no-gaps", "", "do not compute between steps as long as the model did"}}},
  };
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

const std::vector<CommandRule>& commandRules() {
  static const std::vector<CommandRule> rules = makeRules();
  return rules;
}

const CommandRule& commandNamed(const std::string& name) {
  std::string known;
  for (const CommandRule& rule : commandRules()) {
    if (rule.name == name) return rule;
    known += rule.name + ", ";
  }
  throw Failure(BIO_BAD_ARGUMENT, (name.empty() ? "no command" : "unknown command '" + name + "'") +
                                      ": use " + known + "or --help");
}

std::string helpOf(const CommandRule& rule) {
  std::string text =
      padded(rule.name, 8) + " " + padded(rule.operands, 21) + " " + rule.help + "\n";
  for (const OptionRule& option : rule.options) {
    const std::string shown = "--" + option.name + (option.shown.empty() ? "" : " ") + option.shown;
    text += "           " + padded(shown, 20) + " " + option.help + "\n";
  }
  return text;
}

std::string helpOfAll() {
  std::string text = "usage: [mpirun -n RANKS] bundleio COMMAND [OPTION]...\n\n";
  for (const CommandRule& rule : commandRules()) text += helpOf(rule);
  return text +
         "\nCOMMAND --help, or help COMMAND, prints its part of this; --version says which back "
         "ends "
         "there are.\n\n" +
         exitCodes;
}

}  // namespace bundleio
