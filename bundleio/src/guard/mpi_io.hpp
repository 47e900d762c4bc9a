// The MPI-IO that writes shared files: one that tells when a write failed.
//
// Open MPI has two. Its own, ompio, which it takes unless told otherwise, returns success for
// writes that failed (4.1): docs/decisions/0066-mpi-io-that-tells.md.
#pragma once

#include "model/communicator.hpp"

namespace bundleio {

/// Asks Open MPI for any component but ompio, unless the environment says something else. It reads
/// the setting when a process opens its first file by MPI-IO, and never again.
void preferTellingMpiIo();

/// Throws BIO_STATE on all ranks, naming the setting, where a write that fails would be told to
/// have gone well, or where MPI-IO has no component that opens files. Tries that once, on rank 0.
/// Collective.
void requireTellingMpiIo(const Communicator& comm);

}  // namespace bundleio
