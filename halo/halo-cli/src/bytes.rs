//! Sizes as people write them.

/// Reads a size: bytes, or KiB, MiB, GiB, TiB with K, M, G, T behind the number.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let error = || format!("'{text}' is no size: use bytes, or K, M, G, T behind a number, such as 512M");
    let (number, shift) = match text.char_indices().last() {
        Some((at, letter)) if letter.is_ascii_alphabetic() => {
            let shift = ['K', 'M', 'G', 'T'].iter().position(|known| *known == letter.to_ascii_uppercase());
            (&text[..at], 10 * (shift.ok_or_else(error)? + 1))
        }
        _ => (text, 0),
    };
    let count: u64 = number.parse().map_err(|_| error())?;
    let bytes = count.checked_mul(1 << shift).ok_or_else(error)?;
    if bytes == 0 { Err(format!("'{text}': a size of zero is of no use")) } else { Ok(bytes) }
}

/// A size for people.
pub(crate) fn show_bytes(bytes: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    units.into_iter().find(|&(shift, _)| bytes >= 1 << shift).map_or_else(
        || format!("{bytes} bytes"),
        |(shift, name)| format!("{:.1} {name}", bytes as f64 / (1_u64 << shift) as f64),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        for (text, bytes) in [("4096", 4096), ("1k", 1024), ("512M", 512 << 20), ("2G", 2 << 30), ("3T", 3 << 40)] {
            assert_eq!(parse_bytes(text), Ok(bytes));
        }
        for text in ["", "G", "-1", "1.5G", "5X", "0", "99999999999T"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_shown_in_the_largest_unit_that_fits() {
        assert_eq!([512, 1536, 2 << 30, 3 << 40].map(show_bytes), ["512 bytes", "1.5 KiB", "2.0 GiB", "3.0 TiB"]);
    }
}
