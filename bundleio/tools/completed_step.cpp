#include "completed_step.hpp"

#include <algorithm>

#include "comparison.hpp"

namespace bundleio {

CompletedStep::CompletedStep(Reader& first, std::unique_ptr<Reader> own, const std::string& name)
    : first_(first), own_(std::move(own)) {
  for (const int inFirst : adopt(first_.schema())) {
    find(first_.schema().variable(inFirst), inFirst, name);
  }
  const auto isOwn = [](const Origin& origin) { return origin.isOwn; };
  const auto found = std::count_if(origins_.begin(), origins_.end(), isOwn);
  if (static_cast<std::size_t>(found) == own_->schema().variables().size()) return;
  throw Failure(BIO_MISMATCH, name +
                                  " holds variables that the first step does not: steps of one "
                                  "file hold the same; use convert, or join those before");
}

void CompletedStep::find(const Variable& variable, int inFirst, const std::string& name) {
  const Bundle& bundle = first_.schema().bundleOf(variable);
  const Schema& own = own_->schema();
  for (std::size_t i = 0; i < own.variables().size(); ++i) {
    const Variable& its = own.variables()[i];
    if (its.name != variable.name || own.bundleOf(its).name != bundle.name) continue;
    compareAttributes(bundle.name, bundle.attributes, own.bundleOf(its).attributes);
    compareVariables(first_.schema(), variable, own, its);
    origins_.push_back({true, static_cast<int>(i)});
    return;
  }
  if (bundle.isUnlimited(variable)) {
    throw Failure(BIO_MISMATCH, name + " lacks '" + fullName(first_.schema(), variable) +
                                    "', which has an unlimited dimension and is in the first step: "
                                    "steps of one file hold the same variables; use convert");
  }
  origins_.push_back({false, inFirst});
}

void CompletedStep::read(int variable, const Block& box, std::byte* values) {
  const Origin& origin = origins_[static_cast<std::size_t>(variable)];
  (origin.isOwn ? *own_ : first_).read(origin.variable, box, values);
}

std::size_t CompletedStep::chunkBytesMax() const {
  return std::max(own_->chunkBytesMax(), first_.chunkBytesMax());
}

}  // namespace bundleio
