//! Times as people write them.

use std::time::Duration;

const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
/// Nobody waits longer, and sums of times stay far from their limits.
const MOST_DAYS: u64 = 3650;

/// Reads a time, such as `90s` or `10m`; `off` is nothing.
///
/// # Errors
/// The advice what to use instead.
pub(crate) fn parse_period(text: &str) -> Result<Option<Duration>, String> {
    if text == "off" {
        return Ok(None);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let factor = UNITS.iter().find(|(known, _)| *known == unit).map(|&(_, millis)| millis);
    let millis = number.parse::<u64>().ok().zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
    match millis {
        Some(millis) if (1..=MOST_DAYS * 86_400_000).contains(&millis) => Ok(Some(Duration::from_millis(millis))),
        _ => {
            Err(format!("use a time of at most {MOST_DAYS} days with ms, s, m, h or d behind it, such as 10m, or off"))
        }
    }
}

/// The same for [`parse_period`], to the millisecond.
pub(crate) fn show_period(period: Option<Duration>) -> String {
    let Some(period) = period else { return "off".into() };
    let millis = period.as_millis();
    let fits = |&&(_, factor): &&(&str, u64)| millis.is_multiple_of(u128::from(factor));
    UNITS
        .iter()
        .rev()
        .find(fits)
        .map_or_else(String::new, |(unit, factor)| format!("{}{unit}", millis / u128::from(*factor)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_shown() {
        for (text, millis) in [("1ms", 1), ("90s", 90_000), ("10m", 600_000), ("2h", 7_200_000), ("1d", 86_400_000)] {
            let period = Some(Duration::from_millis(millis));
            assert_eq!((parse_period(text), show_period(period)), (Ok(period), text.to_owned()));
        }
        assert_eq!((parse_period("off"), show_period(None)), (Ok(None), "off".to_owned()));
        assert_eq!(parse_period("60s"), parse_period("1m"));
        for text in ["", "10", "0s", "-1s", "1.5h", "5 m", "m", "3651d", "99999999999999999999s"] {
            assert!(parse_period(text).is_err(), "{text}");
        }
    }
}
