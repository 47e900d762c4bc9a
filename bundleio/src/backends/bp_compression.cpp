#include "backends/bp_compression.hpp"

#include <adios2.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "model/status.hpp"

namespace bundleio {

namespace {

struct Operator {
  std::string_view name;
  bool isBuilt;
};
#ifdef ADIOS2_HAVE_BLOSC2
constexpr bool hasBlosc = true;
#else
constexpr bool hasBlosc = false;
#endif
#ifdef ADIOS2_HAVE_BZIP2
constexpr bool hasBzip2 = true;
#else
constexpr bool hasBzip2 = false;
#endif
#ifdef ADIOS2_HAVE_ZFP
constexpr bool hasZfp = true;
#else
constexpr bool hasZfp = false;
#endif
// "null" copies, by the way of all operators.
constexpr std::array<Operator, 4> operators{
    {{"null", true}, {"blosc", hasBlosc}, {"bzip2", hasBzip2}, {"zfp", hasZfp}}};

// Asked for an operator that it lacks, ADIOS2 ends the process.
void checkBuilt(const std::string& name) {
  const auto* found = std::find_if(operators.begin(), operators.end(),
                                   [&](const Operator& known) { return known.name == name; });
  if (found == operators.end()) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "option compress=" + name + ": use none, blosc, bzip2, zfp or null");
  }
  if (!found->isBuilt) {
    throw Failure(BIO_NOT_BUILT, "option compress=" + name +
                                     ": this ADIOS2 was built without that operator: use none, "
                                     "or an ADIOS2 that was built with it");
  }
}

}  // namespace

BpCompression::BpCompression(const Options& options) : name(options.text("compress")) {
  const std::string accuracy = options.text("accuracy");
  if (!accuracy.empty() && (name != "zfp" || !(std::atof(accuracy.c_str()) > 0))) {
    throw Failure(BIO_BAD_ARGUMENT,
                  "option accuracy=" + accuracy + ": use a number above 0, with compress=zfp");
  }
  if (accuracy.empty() && name == "zfp") {
    throw Failure(BIO_BAD_ARGUMENT,
                  "option compress=zfp: say by accuracy=X how far values may change at most");
  }
  if (!accuracy.empty()) parameters["accuracy"] = accuracy;
  if (name == "none") name.clear();
  if (!name.empty()) checkBuilt(name);
}

bool BpCompression::takes(const Variable& variable) const {
  const bool isReal = variable.type == BIO_FLOAT32 || variable.type == BIO_FLOAT64;
  return !name.empty() && !variable.lengths.empty() && (name != "zfp" || isReal);
}

}  // namespace bundleio
