// Bit by bit comparison of two steps, whatever their formats.
#pragma once

#include "communicator.hpp"
#include "readers/reader.hpp"

namespace bundleio {

/// Throws BIO_MISMATCH, on all ranks, naming the first difference. The variables are shared out
/// over the ranks. Collective.
void compareSteps(const Communicator& comm, Reader& one, Reader& other);

}  // namespace bundleio
