// The time of gather's write(), as the paper dissects it.
#pragma once

#include <string>
#include <vector>

#include "model/schema.hpp"
#include "record/meter.hpp"

namespace bundleio {

/// Seconds of one step's write(). Source: Liu (Auburn 2015), Figure 2.3 by what a rank does, Figure
/// 2.4 by bundle.
struct GatherSeconds {
  struct OfBundle {
    double& collect;  // plane roots, until a plane is whole
    double& forward;  // bundle roots, until the plane roots have sent one
    double& store;    // bundle roots, writing
  };
  GatherSeconds(Meter& meter, const Schema& schema)
      : post(meter.part("gather post")),
        wait(meter.part("gather wait")),
        copy(meter.part("gather copy")) {
    for (const Bundle& bundle : schema.bundles()) {
      bundles.push_back({meter.part("gather collect " + bundle.name),
                         meter.part("gather forward " + bundle.name),
                         meter.part("gather store " + bundle.name)});
    }
  }
  double& post;
  double& wait;
  double& copy;
  double others = 0;  // of ranks that are no roots of the plane in question
  std::vector<OfBundle> bundles;
};

}  // namespace bundleio
