// bundleio bench: the same steps through several back ends, in turn, with time dissected.
#include <algorithm>
#include <chrono>
#include <sstream>

#include "commands.hpp"
#include "geos_model.hpp"
#include "timed_runs.hpp"

namespace bundleio {

namespace {

// The bytes of a step then fit an int64.
constexpr std::int64_t gridSideMax = 1000000;

Grid gridFrom(const CommandLine& line) {
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
  return grid;
}

}  // namespace

void bench(const Communicator& comm, const CommandLine& line) {
  TimedRuns runs = timedRunsFrom("bench", line);
  runs.steps = line.number("steps", 2, 1, 1000);
  if (runs.backends.empty()) runs.backends = backendNames();
  const Grid grid = gridFrom(line);
  const std::chrono::milliseconds computing(line.number("compute-ms", 0, 0, 600000));
  GeosModel model(comm, grid, line.number("planes", 100, 1, 10000));
  requireMemory(comm, model.stepBytes());
  const Dissection dissection(comm, runs, [&](File& file) {
    model.define(file);
    for (std::int64_t step = 0; step < runs.steps; ++step) {
      if (step > 0) keepBusy(computing);
      model.writeStep(file);
    }
    if (file.isPending()) keepBusy(computing);
    file.wait();
  });
  const std::string lat = std::to_string(grid.lat);
  const std::string lon = std::to_string(grid.lon);
  if (line.has("json")) return dissection.printJson(", \"lat\": " + lat + ", \"lon\": " + lon);
  dissection.printTable("grid " + lat + " x " + lon);
}

}  // namespace bundleio
