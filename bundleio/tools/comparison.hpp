// Bit by bit comparison of two steps, whatever their formats.
#pragma once

#include <string>
#include <vector>

#include "model/communicator.hpp"
#include "readers/reader.hpp"

namespace bundleio {

/// Throws BIO_MISMATCH, naming the first difference of bundles, variables or attributes; else
/// returns the index in `other` of each variable of `one`.
std::vector<int> compareDefinitions(const Schema& one, const Schema& other);
/// The same for one variable, whose dimensions must have equal names, too, and for the attributes
/// of `owner`.
void compareVariables(const Schema& schema, const Variable& one, const Schema& otherSchema,
                      const Variable& other);
void compareAttributes(const std::string& owner, std::vector<Attribute> one,
                       std::vector<Attribute> other);
/// "bundle/variable", for messages.
std::string fullName(const Schema& schema, const Variable& variable);
/// Throws BIO_MISMATCH, on all ranks, naming the first difference. The bytes are shared out over
/// the ranks. Collective.
void compareSteps(const Communicator& comm, Reader& one, Reader& other);

}  // namespace bundleio
