// Hints for MPI-IO, owned.
#pragma once

#include <mpi.h>

#include <map>
#include <string>

namespace bundleio {

class MpiInfo {
 public:
  explicit MpiInfo(const std::map<std::string, std::string>& hints) {
    MPI_Info_create(&handle_);
    for (const auto& [key, value] : hints) MPI_Info_set(handle_, key.c_str(), value.c_str());
  }
  ~MpiInfo() { MPI_Info_free(&handle_); }
  MpiInfo(const MpiInfo&) = delete;
  MpiInfo& operator=(const MpiInfo&) = delete;
  [[nodiscard]] MPI_Info handle() const { return handle_; }

 private:
  MPI_Info handle_ = MPI_INFO_NULL;
};

}  // namespace bundleio
