// Promises of the core that no program sees from outside, one check each; run by one rank.
#include <fcntl.h>
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/bp_format.hpp"
#include "guard/checksums.hpp"
#include "guard/file_system.hpp"
#include "guard/room.hpp"
#include "guard/stall_watch.hpp"
#include "guard/value_sums.hpp"
#include "guard/watchdog.hpp"
#include "model/communicator.hpp"
#include "model/decomposition.hpp"
#include "model/layout.hpp"
#include "model/options.hpp"
#include "model/reserved_names.hpp"
#include "model/schema.hpp"
#include "promise.hpp"
#include "step/auto_choice.hpp"
#include "step/run_folder.hpp"

namespace {

using namespace bundleio;
namespace fs = std::filesystem;

std::string messageOf(const std::function<void()>& work) {
  const Failure outcome = outcomeOf(work);
  return outcome.status() == BIO_BAD_ARGUMENT ? outcome.what() : "";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void optionsHoldBlanksBetweenQuotes() {
  const Options options(R"(fast_tier="/a b/c" "record=x ""y""" sync=yes)");
  promise(options.text("fast_tier") == "/a b/c", "quotes keep blanks in a value");
  promise(options.text("record") == R"(x "y")", "two quotes stand for one");
  const Options again(options.textWithout({}));
  promise(again.text("record") == R"(x "y")" && again.text("fast_tier") == "/a b/c" &&
              again.flag("sync"),
          "options written as text read back as they were");
  promise(has(messageOf([] { Options(R"(record="a b)"); }), "has no end"),
          "an open quote is named");
}

void hintsThatMpiCannotHoldAreRefused() {
  for (const std::string& hint :
       {std::string("hint.=1"), std::string("hint.cb_nodes="),
        "hint." + std::string(300, 'x') + "=1", "hint.x=" + std::string(2000, 'y')}) {
    promise(has(messageOf([&] { Options{hint}; }), "use hint.NAME=VALUE"), "a bad hint is refused");
  }
}

void optionsOfOthersAreRefused() {
  const Options options("compress=zfp accuracy=1 sync=yes");
  const std::string message = messageOf([&] { options.checkTakenBy({"pnetcdf"}); });
  promise(has(message, "option accuracy=1 is not for back end pnetcdf:") &&
              has(message, "use one of bp5, auto"),
          "what a back end has no use for is named with it, and who has");
  promise(messageOf([&] { options.checkTakenBy({"auto"}); }).empty(), "auto takes all");
  promise(messageOf([&] {
            options.checkTakenBy({"posix", "bp5"});
          }).empty(),
          "one of several is enough");
  promise(options.textTakenBy("netcdf4") == "sync=yes" &&
              options.keysNotTakenBy("netcdf4") == "accuracy compress",
          "options are told apart for the back end that was chosen");
  promise(Options("hint.a=1").keysNotTakenBy("gather") == "hint.a", "hints are for MPI-IO");
}

void variablesOnRootShareTheirDecomposition() {
  Schema schema(1000, 0);
  const int bundle = schema.addBundle("b");
  const int x = schema.addDimension(bundle, "x", 5);
  const auto made = [&](const char* name, std::vector<int> dimensions) {
    const int index = schema.addVariable(bundle, name, BIO_INT8, std::move(dimensions), nullptr);
    return schema.variable(index).decomposition.get();
  };
  promise(made("a", {}) == made("b", {}) && made("c", {x}) == made("d", {x}) &&
              schema.variable(0).decomposition != schema.variable(2).decomposition,
          "memory of variables on rank 0 does not grow with variables times ranks");
}

void attributesHaveAsManyValuesAsBytesCanHold() {
  Schema schema(1, 0);
  const int bundle = schema.addBundle("b");
  const double value = 1;
  const std::int64_t wraps = (std::int64_t{1} << 61) + 1;
  const std::string message = messageOf(
      [&] { schema.addAttribute(bundle, BIO_GLOBAL, "many", BIO_FLOAT64, wraps, &value); });
  promise(has(message, "too many"), "a count whose bytes would wrap around is refused");
}

void reservedNamesAreRefusedWhereTheyAreGiven() {
  const auto attempt = [](const char* backend, bool onVariable, const char* name) {
    Schema schema(1, 0);
    schema.reserve(reservedNames(backend));
    const int bundle = schema.addBundle("bundleio");
    const int made = schema.addVariable(bundle, "v", BIO_INT8, {}, nullptr);
    const std::int8_t value = 1;
    return messageOf([&] {
      schema.addAttribute(bundle, onVariable ? made : BIO_GLOBAL, name, BIO_INT8, 1, &value);
    });
  };
  promise(
      has(attempt("netcdf4", true, "CLASS"), "attribute name 'CLASS' is one that NetCDF-4 keeps"),
      "netcdf4 names what it keeps for itself, of variables");
  promise(has(attempt("netcdf4", false, "_NCProperties"), "NetCDF-4 keeps"), "and of bundles");
  promise(attempt("pnetcdf", true, "CLASS").empty(), "others take those names");
  promise(
      has(attempt("bp5", false, "layout"), "BP files") && attempt("bp5", true, "layout").empty(),
      "bp5 keeps one name");
}

void fingerprintsTellOwnersApart() {
  const auto of = [](std::int64_t cut) {
    return Decomposition::fromBlocks({8}, {{{0}, {cut}}, {{cut}, {8 - cut}}}, 0).fingerprint();
  };
  promise(of(3) == of(3) && of(3) != of(4), "other owners, another fingerprint");
}

// A step whose definitions a test changes one by one.
struct Defined {
  std::string bundle = "b";
  std::string dimension = "x";
  std::int64_t length = 4;
  std::string variable = "v";
  int type = BIO_FLOAT32;
  bool isTurned = false;  // dimensions of equal length in the other order
  std::string attribute = "a";
  int attributeType = BIO_INT32;
  std::int64_t values = 2;
  std::int32_t value = 7;
  bool isOnVariable = true;
  bool hasSecond = false;

  [[nodiscard]] Schema schema() const {
    Schema made(1, 0);
    const int at = made.addBundle(bundle);
    std::vector<int> dimensions{made.addDimension(at, dimension, length),
                                made.addDimension(at, "y", length)};
    if (isTurned) std::swap(dimensions[0], dimensions[1]);
    const int index = made.addVariable(at, variable, type, dimensions, nullptr);
    const std::vector<std::int32_t> all(4, value);
    made.addAttribute(at, isOnVariable ? index : BIO_GLOBAL, attribute, attributeType, values,
                      all.data());
    if (hasSecond) made.addBundle("second");
    return made;
  }
};

void checksumsVouchForEveryPartOfADefinition() {
  const Schema schema = Defined().schema();
  const Checksums sums(schema, ValueSums(schema));
  const auto differ = [&](const Defined& changed) {
    return outcomeOf([&] { sums.checkDefinitions(changed.schema()); }).status() == BIO_FORMAT;
  };
  const auto changed = [](auto&& change) {
    Defined made;
    change(made);
    return made;
  };
  promise(!differ(Defined()), "definitions are those that they were");
  promise(differ(changed([](Defined& one) { one.type = BIO_INT32; })),
          "a type of equal size is another");
  promise(differ(changed([](Defined& one) { one.attributeType = BIO_FLOAT32; })),
          "a type of an attribute, of equal size, is another");
  promise(differ(changed([](Defined& one) { one.values = 3; })), "so is a number of values");
  promise(differ(changed([](Defined& one) { one.value = 8; })), "so is a value of an attribute");
  promise(differ(changed([](Defined& one) { one.attribute = "c"; })), "so is its name");
  promise(differ(changed([](Defined& one) { one.isOnVariable = false; })),
          "so is what it describes");
  promise(differ(changed([](Defined& one) { one.variable = "w"; })), "so is a variable's name");
  promise(differ(changed([](Defined& one) { one.bundle = "c"; })), "so is a bundle's name");
  promise(differ(changed([](Defined& one) { one.dimension = "z"; })), "so is a dimension's name");
  promise(differ(changed([](Defined& one) { one.length = 5; })), "so is a length");
  promise(differ(changed([](Defined& one) { one.isTurned = true; })),
          "so is an order of dimensions");
  promise(differ(changed([](Defined& one) { one.hasSecond = true; })), "so is one bundle more");
}

void damageIsPlaced() {
  Schema schema(1, 0);
  const int bundle = schema.addBundle("b");
  const Extent lengths{2, 5, 30000};
  // A section holds four levels of eight bytes a cell: those of a time are two.
  const std::vector<int> dimensions{schema.addDimension(bundle, "time", lengths[0]),
                                    schema.addDimension(bundle, "lev", lengths[1]),
                                    schema.addDimension(bundle, "x", lengths[2])};
  const int index = schema.addVariable(bundle, "v", BIO_FLOAT64, dimensions, nullptr);
  std::vector<std::byte> values(static_cast<std::size_t>(schema.variable(index).bytes()));
  const auto summed = [&] {
    auto sums = std::make_unique<ValueSums>(schema);
    sums->add(index, {Extent(3, 0), lengths}, values.data());
    return sums;
  };
  const Checksums sums(schema, *summed());
  const auto placed = [&](std::size_t time, std::size_t level) {
    std::byte& changed = values[(time * 5 + level) * 30000 * 8 + 17];
    changed ^= std::byte{1};
    const Failure outcome = outcomeOf([&] { sums.checkValues(schema, *summed()); });
    changed ^= std::byte{1};
    return std::string(outcome.status() == BIO_FORMAT ? outcome.what() : "");
  };
  promise(has(placed(0, 2), "values of 'b/v' are damaged: lev 0 to 3 of time 0") &&
              has(placed(1, 3), ": lev 0 to 3 of time 1") &&
              has(placed(1, 4), ": lev 4 to 4 of time 1"),
          "damage is said to be where it is");
}

// As BP files hold it.
void layoutsWithoutBoxesAreRead() {
  const auto boxes =
      std::make_shared<const Decomposition>(Decomposition::fromBlocks({8}, {{{0}, {8}}}, 0));
  Schema schema(1, 0);
  const int bundle = schema.addBundle("one");
  const int dimension = schema.addDimension(bundle, "x", 8);
  schema.addVariable(bundle, "v", BIO_INT8, {dimension}, boxes);
  const bundleio::Layout layout = bundleio::parseLayout(bundleio::layoutText(schema, 0), 0);
  promise(layout.schema.variable(0).lengths == bundleio::Extent{8} &&
              layout.schema.variable(0).decomposition->localCells() == 0,
          "a layout that leaves boxes out is read, and gives this rank nothing");
}

void errorsOfMpiNeverPassUnseen() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const Communicator comm(MPI_COMM_WORLD);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm.handle(), &handler);
  promise(handler == MPI_ERRORS_ARE_FATAL,
          "an application that has errors returned loses none of ours");
  MPI_Errhandler_free(&handler);
}

void filesOfTheApplicationKeepItsHandlerOfErrors() {
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  const Communicator comm(MPI_COMM_SELF);
  Watchdog watchdog(comm, "posix", "a run", std::chrono::seconds(1));
  { const TransferWatch transfers(watchdog); }
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_File_get_errhandler(MPI_FILE_NULL, &handler);
  promise(handler == MPI_ERRORS_ARE_FATAL, "files opened after a step have the model's handler");
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

void stepsThatCannotBePublishedLeaveNothing(const fs::path& path) {
  const RunFolder run(path);
  run.prepare(BIO_CREATE);
  run.start(0);
  fs::create_directories(run.step(0) / "something");
  promise(
      outcomeOf([&] { run.publish(0, true); }).status() != BIO_OK && !fs::exists(run.partial(0)),
      "a name that is taken is an error, and no trace of the step stays");
  fs::create_directories(run.partial(0) / "of a killed run");
  run.remove(0);
  promise(fs::is_empty(path), "a step is removed whatever a killed run left beside it");
}

bool isFileLimitSignal(int (*in)(sigset_t*)) {
  sigset_t signals;
  sigemptyset(&signals);
  return in(&signals) == 0 && sigismember(&signals, SIGXFSZ) == 1;
}

bool isFileLimitHeldBack() {
  return isFileLimitSignal(
      [](sigset_t* held) { return pthread_sigmask(SIG_BLOCK, nullptr, held); });
}

void aFileThatGrowsTooLargeIsAnErrorAndEndsNoProcess(const fs::path& folder) {
  fs::create_directories(folder);
  const int file = ::open((folder / "large").c_str(), O_WRONLY | O_CREAT, 0600);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  {
    const FileLimitAsError limit;
    promise(::pwrite(file, "letters", 7, 10) < 0 && errno == EFBIG, "a write beyond is an error");
    const std::string said = systemFailure(EFBIG, "write").what();
    promise(said ==
                "write: File too large: this process may write 10 bytes to a file: raise that "
                "(ulimit -f)",
            "which names the limit");
  }
  setrlimit(RLIMIT_FSIZE, &before);
  promise(!isFileLimitHeldBack() && !isFileLimitSignal(sigpending), "no signal is left behind");
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &own, nullptr);
  pthread_kill(pthread_self(), SIGXFSZ);
  { const FileLimitAsError limit; }
  promise(isFileLimitHeldBack() && isFileLimitSignal(sigpending),
          "one that the application holds back is the application's");
  int taken = 0;
  sigwait(&own, &taken);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  ::close(file);
}

void dataFilesAreAsManyAsTheFileSystemTakesEasily() {
  promise(bpDataFiles(3, 1, true) == 3, "one for each rank of a machine");
  promise(bpDataFiles(64, 1, true) == 16, "up to 16 of them");
  promise(bpDataFiles(64, 1, false) == 4, "four for each node elsewhere");
  promise(bpDataFiles(64, 8, false) == 32, "four for each of many nodes");
  promise(fileSystemOf("/proc").name == "unknown file system" && !fileSystemOf("/proc").isLocal &&
              !fileSystemOf("/no such folder").isLocal,
          "a file system that is not known promises nothing");
}

// The rule of back end auto, which needs no probe. Where one file is shared as fast as many are
// written, files that every tool reads are worth more.
void theChoiceGoesByWhatTheProbeFound() {
  const auto chosen = [](int ranks, bool hasBp5, bool hasPnetcdf, double own, double shared) {
    return chooseFor(
               {ranks, 1, hasBp5, hasPnetcdf, {"ext4", true, true, true}, "ROMIO", own, shared})
        .backend;
  };
  promise(chosen(8, true, true, 1, 1.4) == "pnetcdf", "a shared file about as fast is taken");
  promise(chosen(8, true, true, 1, 1.6) == "bp5", "one that is slower is not");
  promise(chosen(8, true, true, 0, 0) == "bp5" && chosen(8, true, true, 1, 0) == "bp5",
          "nor is one of which nothing is known");
  promise(chosen(8, true, false, 1, 1) == "bp5", "nor one that is not built");
  promise(chosen(8, false, true, 1, 9) == "pnetcdf" && chosen(8, false, false, 1, 1) == "gather",
          "what is not built is not chosen");
  promise(chosen(1, true, true, 1, 9) == "gather", "one rank needs no parallel format");
  const auto withoutMpiIo = [](bool hasBp5) {
    return chooseFor({8, 1, hasBp5, true, {"ext4", true, true, true}, "none", 1, 1, "it lies"});
  };
  promise(withoutMpiIo(true).backend == "bp5" && withoutMpiIo(false).backend == "gather",
          "where MPI-IO cannot be used, none is chosen that needs it");
  promise(has(withoutMpiIo(false).reason, "pnetcdf cannot be used: it lies"), "and it says why");
}

// Closing any descriptor of a file would end them.
void recordLocksOfMpiIoOutliveALookAtItsFiles(const fs::path& folder) {
  fs::create_directories(folder);
  const int file = ::open((folder / "file").c_str(), O_RDWR | O_CREAT, 0666);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  promise(::fcntl(file, F_SETLK, &lock) == 0, "a file takes a lock");
  {
    const Communicator comm(MPI_COMM_WORLD);
    Watchdog watchdog(comm, "none", folder.string(), std::chrono::seconds(60));
    const StallWatch watch(watchdog, folder, "nothing");
  }
  lock.l_type = F_WRLCK;
  lock.l_pid = 0;  // of an open file, for which the process's own locks are another's
  promise(::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK,
          "and has it after a watch looked at it");
  ::close(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  fs::remove_all(argv[1]);
  optionsHoldBlanksBetweenQuotes();
  hintsThatMpiCannotHoldAreRefused();
  optionsOfOthersAreRefused();
  variablesOnRootShareTheirDecomposition();
  attributesHaveAsManyValuesAsBytesCanHold();
  reservedNamesAreRefusedWhereTheyAreGiven();
  fingerprintsTellOwnersApart();
  checksumsVouchForEveryPartOfADefinition();
  damageIsPlaced();
  layoutsWithoutBoxesAreRead();
  errorsOfMpiNeverPassUnseen();
  filesOfTheApplicationKeepItsHandlerOfErrors();
  stepsThatCannotBePublishedLeaveNothing(argv[1]);
  aFileThatGrowsTooLargeIsAnErrorAndEndsNoProcess(argv[1]);
  dataFilesAreAsManyAsTheFileSystemTakesEasily();
  theChoiceGoesByWhatTheProbeFound();
  recordLocksOfMpiIoOutliveALookAtItsFiles(argv[1]);
  fs::remove_all(argv[1]);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
