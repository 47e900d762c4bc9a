#include "model/schema_part.hpp"

#include <algorithm>

namespace bundleio {

namespace {

// A step must have something that says which format it is.
std::vector<bool> bundlesOf(const Schema& whole, const std::vector<bool>& isDue) {
  std::vector<bool> kept;
  for (const Bundle& bundle : whole.bundles()) {
    const bool isKept = bundle.variables.empty() ||
                        std::any_of(bundle.variables.begin(), bundle.variables.end(),
                                    [&](int i) { return isDue[static_cast<std::size_t>(i)]; });
    kept.push_back(isKept);
  }
  if (std::find(kept.begin(), kept.end(), true) == kept.end()) kept.assign(kept.size(), true);
  return kept;
}

}  // namespace

SchemaPart partOf(const Schema& whole, const std::vector<bool>& isDue) {
  SchemaPart part{whole.cleared(), std::vector<int>(whole.variables().size(), -1)};
  const std::vector<bool> kept = bundlesOf(whole, isDue);
  std::vector<int> bundles(kept.size(), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) bundles[i] = part.schema.copyBundle(whole.bundles()[i]);
  }
  for (std::size_t i = 0; i < isDue.size(); ++i) {
    if (!isDue[i]) continue;
    const Variable& variable = whole.variables()[i];
    part.numbers[i] = part.schema.copyVariable(bundles[static_cast<std::size_t>(variable.bundle)],
                                               variable, variable.decomposition);
  }
  return part;
}

}  // namespace bundleio
