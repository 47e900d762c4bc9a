// The value types that all back ends can store.
#pragma once

#include <bundleio/bundleio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/status.hpp"

namespace bundleio {

using Type = bio_type;

struct TypeInfo {
  Type type;
  std::string_view name;
  std::size_t bytes;
};

inline constexpr std::array<TypeInfo, 11> typeTable{{{BIO_TEXT, "text", 1},
                                                     {BIO_INT8, "int8", 1},
                                                     {BIO_UINT8, "uint8", 1},
                                                     {BIO_INT16, "int16", 2},
                                                     {BIO_UINT16, "uint16", 2},
                                                     {BIO_INT32, "int32", 4},
                                                     {BIO_UINT32, "uint32", 4},
                                                     {BIO_INT64, "int64", 8},
                                                     {BIO_UINT64, "uint64", 8},
                                                     {BIO_FLOAT32, "float32", 4},
                                                     {BIO_FLOAT64, "float64", 8}}};

constexpr bool isType(int code) { return code >= BIO_TEXT && code <= BIO_FLOAT64; }
constexpr const TypeInfo& infoOf(Type type) { return typeTable.at(static_cast<std::size_t>(type)); }
constexpr std::size_t bytesOf(Type type) { return infoOf(type).bytes; }

/// Calls visit(T{}) with the C++ type that stores `type`; text is char.
template <class Visit>
decltype(auto) withType(Type type, Visit visit) {
  switch (type) {
    case BIO_TEXT:
      return visit(char{});
    case BIO_INT8:
      return visit(std::int8_t{});
    case BIO_UINT8:
      return visit(std::uint8_t{});
    case BIO_INT16:
      return visit(std::int16_t{});
    case BIO_UINT16:
      return visit(std::uint16_t{});
    case BIO_INT32:
      return visit(std::int32_t{});
    case BIO_UINT32:
      return visit(std::uint32_t{});
    case BIO_INT64:
      return visit(std::int64_t{});
    case BIO_UINT64:
      return visit(std::uint64_t{});
    case BIO_FLOAT32:
      return visit(float{});
    case BIO_FLOAT64:
      return visit(double{});
  }
  throw Failure(BIO_INTERNAL, "unknown type");
}

/// NetCDF's value of cells that nobody wrote; the same in all formats, so that files compare.
std::vector<std::byte> defaultFill(Type type);
/// The type of this name.
Type typeNamed(std::string_view name);

}  // namespace bundleio
