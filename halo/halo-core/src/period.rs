//! Times as people write them.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::time::Duration;

const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
/// Nobody waits longer, and sums of times stay far from their limits.
const MOST_DAYS: u64 = 3650;

/// A time, such as `90s` or `10m`; or never, which is `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period(pub Option<Duration>);

impl FromStr for Period {
    /// The advice what to use instead.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self(None));
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let factor = UNITS.iter().find(|(known, _)| *known == unit).map(|&(_, millis)| millis);
        let millis = number.parse::<u64>().ok().zip(factor).and_then(|(number, factor)| number.checked_mul(factor));
        match millis {
            Some(millis) if (1..=MOST_DAYS * 86_400_000).contains(&millis) => {
                Ok(Self(Some(Duration::from_millis(millis))))
            }
            _ => Err(format!(
                "use a time of at most {MOST_DAYS} days with ms, s, m, h or d behind it, such as 10m, or off"
            )),
        }
    }
}

/// As it is read, to the millisecond.
impl Display for Period {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Some(period) = self.0 else { return out.write_str("off") };
        let millis = period.as_millis();
        let fits = |&&(_, factor): &&(&str, u64)| millis.is_multiple_of(u128::from(factor));
        UNITS
            .iter()
            .rev()
            .find(fits)
            .map_or(Ok(()), |(unit, factor)| write!(out, "{}{unit}", millis / u128::from(*factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_shown() {
        for (text, millis) in [("1ms", 1), ("90s", 90_000), ("10m", 600_000), ("2h", 7_200_000), ("1d", 86_400_000)] {
            let period = Period(Some(Duration::from_millis(millis)));
            assert_eq!((text.parse(), period.to_string()), (Ok(period), text.to_owned()));
        }
        assert_eq!(("off".parse(), Period(None).to_string()), (Ok(Period(None)), "off".to_owned()));
        assert_eq!("60s".parse::<Period>(), "1m".parse());
        for text in ["", "10", "0s", "-1s", "1.5h", "5 m", "m", "3651d", "99999999999999999999s"] {
            assert!(text.parse::<Period>().is_err(), "{text}");
        }
    }
}
