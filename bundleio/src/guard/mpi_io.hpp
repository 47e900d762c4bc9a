// The MPI-IO that writes shared files: one that tells when a write failed.
//
// Open MPI has two. Its own, ompio, which it takes unless told otherwise, returns success for
// writes that failed (4.1): docs/decisions/0066-mpi-io-that-tells.md.
#pragma once

#include <string>

#include "model/communicator.hpp"

namespace bundleio {

/// Asks Open MPI for any component but ompio, unless the environment says something else. It reads
/// the setting when a process opens its first file by MPI-IO, and never again.
void preferTellingMpiIo();

/// Why MPI-IO cannot be used, with the setting to change: a write that fails would be told to have
/// gone well, or there is no component that opens files. Empty where it can. Tries that once, on
/// rank 0. Collective.
[[nodiscard]] std::string problemOfMpiIo(const Communicator& comm);
/// Throws BIO_STATE with that on all ranks. Collective.
void requireTellingMpiIo(const Communicator& comm);

}  // namespace bundleio
