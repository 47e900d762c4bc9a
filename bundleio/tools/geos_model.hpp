// A stand-in for GEOS-5's history output: the bundles of one time step, with values that a check
// can recognise.
//
// Source: Liu (Auburn 2015), section 2.2.3: seven bundles; Moist has 1201 planes, Tend 1152, Bud,
// the smallest, 40. Own: the four between (240, 160, 80, 60), and the division into variables of 72
// levels (GEOS-5's; 1152 is 16 of them) and variables of one level.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "step/run.hpp"

namespace bundleio {

struct Grid {
  std::int64_t lat;
  std::int64_t lon;
};

class GeosModel {
 public:
  /// `planesPercent` of the planes of each bundle. Collective.
  GeosModel(const Communicator& comm, Grid grid, std::int64_t planesPercent);

  /// Defines all in `run` and makes the values.
  void define(Run& run);
  /// Defines all in a further run; the values are there already.
  void redefine(Run& run);
  /// One whole step. Collective.
  void writeStep(Run& run);
  /// Values of variable `index` as define() made it: [planes][own cells].
  [[nodiscard]] const float* values(int index) const;
  /// Of all ranks; what they hold, from define() on.
  [[nodiscard]] std::int64_t stepBytes() const;

 private:
  void fillValues(const Schema& schema);

  std::int64_t percent_;
  Grid grid_;
  std::shared_ptr<const Decomposition> decomposition_;
  struct Field {
    int variable;
    std::int64_t firstValue;
  };
  std::vector<Field> fields_;
  std::int64_t valueCount_ = 0;
  std::vector<float> values_;
};

/// Numbers of ranks along latitude and longitude, as square as they can be.
Grid rankGrid(int ranks);

}  // namespace bundleio
