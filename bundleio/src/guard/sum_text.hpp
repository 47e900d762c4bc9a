// How checksums stand in our files: CRC-32C as eight hexadecimal digits, and a last line "end SUM"
// behind all others.
#pragma once

#include <cstdint>
#include <string>

namespace bundleio {

std::string sumText(std::uint32_t sum);
/// Of the bytes of `text`.
std::string sumTextOf(const std::string& text);
/// Throws BIO_FORMAT if `word` is none.
std::uint32_t sumIn(const std::string& word);

/// `lines`, and the last line.
std::string withEnd(const std::string& lines);
/// The lines before the last one. Throws BIO_FORMAT if they are not those that it sums; `what`
/// names them, in the plural.
std::string withoutEnd(const std::string& text, const std::string& what);

}  // namespace bundleio
