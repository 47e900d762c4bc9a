#include "model/types.hpp"

#include <cstring>
#include <string>

namespace bundleio {

namespace {

template <class T>
std::vector<std::byte> bytesOfValue(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

// Source: NetCDF User's Guide, default fill values (netcdf.h, NC_FILL_*).
std::vector<std::byte> defaultFill(Type type) {
  switch (type) {
    case BIO_TEXT:
      return bytesOfValue(char{0});
    case BIO_INT8:
      return bytesOfValue(std::int8_t{-127});
    case BIO_UINT8:
      return bytesOfValue(std::uint8_t{255});
    case BIO_INT16:
      return bytesOfValue(std::int16_t{-32767});
    case BIO_UINT16:
      return bytesOfValue(std::uint16_t{65535});
    case BIO_INT32:
      return bytesOfValue(std::int32_t{-2147483647});
    case BIO_UINT32:
      return bytesOfValue(std::uint32_t{4294967295U});
    case BIO_INT64:
      return bytesOfValue(std::int64_t{-9223372036854775806LL});
    case BIO_UINT64:
      return bytesOfValue(std::uint64_t{18446744073709551614ULL});
    case BIO_FLOAT32:
      return bytesOfValue(9.9692099683868690e+36F);
    case BIO_FLOAT64:
      return bytesOfValue(9.9692099683868690e+36);
  }
  throw Failure(BIO_INTERNAL, "unknown type");
}

Type typeNamed(std::string_view name) {
  for (const TypeInfo& info : typeTable) {
    if (info.name == name) return info.type;
  }
  throw Failure(BIO_FORMAT, "no type is named '" + std::string(name) + "'");
}

}  // namespace bundleio
