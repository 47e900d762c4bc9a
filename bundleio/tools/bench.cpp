// bundleio bench: the same steps through several back ends, in turn, with time dissected.
#include <algorithm>
#include <chrono>
#include <sstream>

#include "commands.hpp"
#include "geos_model.hpp"
#include "paired_steps.hpp"
#include "timed_runs.hpp"

namespace bundleio {

namespace {

// The bytes of a step then fit an int64, also with thousands of ranks and weak scaling.
constexpr std::int64_t gridSideMax = 100000;

std::string scalingFrom(const CommandLine& line) {
  std::string scaling = line.text("scaling", "strong");
  if (scaling != "strong" && scaling != "weak") {
    throw Failure(BIO_BAD_ARGUMENT, "--scaling " + scaling + ": use strong or weak");
  }
  return scaling;
}

// Of all ranks.
Grid gridFrom(const CommandLine& line, int ranks) {
  const std::vector<std::string> sides = split(line.text("grid", "144x288"), 'x');
  std::istringstream lat(sides.empty() ? "" : sides.front());
  std::istringstream lon(sides.size() == 2 ? sides.back() : "");
  Grid grid{0, 0};
  if (!(lat >> grid.lat) || !(lon >> grid.lon) || !(lat >> std::ws).eof() ||
      !(lon >> std::ws).eof() || std::min(grid.lat, grid.lon) < 1 ||
      std::max(grid.lat, grid.lon) > gridSideMax) {
    throw Failure(BIO_BAD_ARGUMENT, "--grid " + line.text("grid", "") +
                                        ": use LATxLON, each from 1 to " +
                                        std::to_string(gridSideMax));
  }
  if (scalingFrom(line) == "strong") return grid;
  const Grid shares = rankGrid(ranks);
  return {grid.lat * shares.lat, grid.lon * shares.lon};
}

void pairs(const Communicator& comm, const CommandLine& line) {
  const TimedRuns runs = pairFrom(line);
  GeosModel model(comm, gridFrom(line, comm.size()), line.number("planes", 100, 1, 10000));
  requireMemory(comm, model.stepBytes());
  PairedSteps(comm, runs, line.number("pairs", 0, 6, 10000), model).print(line);
}

}  // namespace

void bench(const Communicator& comm, const CommandLine& line) {
  if (!line.text("pairs", "").empty()) return pairs(comm, line);
  TimedRuns runs = timedRunsFrom("bench", line);
  runs.steps = line.number("steps", 2, 1, 1000);
  if (runs.backends.empty()) runs.backends = backendNames();
  const Grid grid = gridFrom(line, comm.size());
  const std::chrono::milliseconds computing(line.number("compute-ms", 0, 0, 600000));
  GeosModel model(comm, grid, line.number("planes", 100, 1, 10000));
  requireMemory(comm, model.stepBytes());
  const std::int64_t passes = line.number("work", 0, 0, 100000000);
  const Dissection dissection(comm, runs, [&](Run& run) {
    double work = 0;
    model.define(run);
    for (std::int64_t step = 0; step < runs.steps; ++step) {
      if (step > 0) keepBusy(computing);
      model.writeStep(run);
      // After each step, so that all runs have the same. Waiting for ranks that still compute is
      // no output, and a model's own messages would do it.
      work += compute(passes);
      if (passes > 0) MPI_Barrier(comm.handle());
    }
    if (run.isPending()) keepBusy(computing);
    run.wait();
    return work;
  });
  const std::string lat = std::to_string(grid.lat);
  const std::string lon = std::to_string(grid.lon);
  dissection.print(
      line, scalingFrom(line) + " scaling, grid " + lat + " x " + lon,
      ", \"scaling\": \"" + scalingFrom(line) + "\", \"lat\": " + lat + ", \"lon\": " + lon);
}

}  // namespace bundleio
