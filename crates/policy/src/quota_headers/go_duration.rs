//! Durations as Go writes them (`time.Duration.String`): `12ms`, `6m0s`, `2m59.56s`.

use std::time::Duration;

use crate::{
    decimal::{BILLION, decimal},
    time::from_wide_nanos,
};

/// The units in nanoseconds. The micro sign comes as U+00B5, as U+03BC and, from servers that write
/// headers in Latin-1, as one byte.
const UNITS: [(&[u8], u64); 9] = [
    (b"h", 3600 * BILLION),
    (b"m", 60 * BILLION),
    (b"s", BILLION),
    (b"ms", 1_000_000),
    (b"us", 1000),
    ("\u{b5}s".as_bytes(), 1000),
    ("\u{3bc}s".as_bytes(), 1000),
    (b"\xb5s", 1000),
    (b"ns", 1),
];

/// Each number needs a unit. Saturates; less than a nanosecond rounds up.
pub(super) fn parse(text: &[u8]) -> Option<Duration> {
    let mut sum = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let (number, after) = split(rest, is_numeric);
        let (unit, after) = split(after, |byte| !is_numeric(byte));
        sum = sum.saturating_add(part(number, unit)?);
        rest = after;
    }
    (!text.is_empty()).then_some(sum)
}

const fn is_numeric(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'.'
}

fn split(text: &[u8], belongs: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !belongs(*byte)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, b""))
}

fn part(number: &[u8], unit: &[u8]) -> Option<Duration> {
    let (_, nanos) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let (whole, billionths) = decimal(number)?;
    let [whole, billionths, nanos] = [whole, billionths, *nanos].map(u128::from);
    // No product reaches 128 bits: 2^64 * 2^42.
    Some(from_wide_nanos(whole * nanos + (billionths * nanos).div_ceil(u128::from(BILLION))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanos(text: &str) -> Option<u128> {
        parse(text.as_bytes()).map(|duration| duration.as_nanos())
    }

    #[test]
    fn as_go_writes_them() {
        for (text, expected) in [
            ("0s", 0),
            ("1ns", 1),
            ("12ms", 12_000_000),
            ("1s", 1_000_000_000),
            ("7.66s", 7_660_000_000),
            ("59.999999999s", 59_999_999_999),
            ("6m0s", 360_000_000_000),
            ("2m59.56s", 179_560_000_000),
            ("1h2m3s", 3_723_000_000_000),
            ("23h59m8.64s", 86_348_640_000_000),
            ("744h0m0s", 2_678_400_000_000_000),
            ("88\u{b5}s", 88_000),
            ("88\u{3bc}s", 88_000),
            ("88us", 88_000),
            ("1.5\u{b5}s", 1_500),
            ("1.000001ms", 1_000_001),
            ("1.5h", 5_400_000_000_000),
            ("0.000000001h", 3_600),
            ("1m0.5s", 60_500_000_000),
            // Less than a nanosecond rounds up.
            ("0.1ns", 1),
            ("0.0000000001s", 1),
        ] {
            assert_eq!(nanos(text), Some(expected), "{text}");
        }
        assert_eq!(parse(b"88\xb5s"), Some(Duration::from_micros(88)));
    }

    #[test]
    fn huge_ones_saturate() {
        for text in ["99999999999999999999h", "5124095576030432h", "18446744073709551615s1s"] {
            assert_eq!(parse(text.as_bytes()), Some(Duration::MAX), "{text}");
        }
        assert_eq!(parse(b"18446744073709551615s"), Some(Duration::from_secs(u64::MAX)));
        assert_eq!(parse(("9".repeat(10_000) + "ns").as_bytes()), Some(Duration::from_nanos(u64::MAX)));
        assert_eq!(parse("1s".repeat(5000).as_bytes()), Some(Duration::from_secs(5000)));
    }

    #[test]
    fn all_else_is_none() {
        for text in [
            "",
            " ",
            "s",
            "1",
            "1.5",
            "-1s",
            "+1s",
            "1 s",
            "1s ",
            "1S",
            "1sec",
            "1min",
            "1d",
            "1.s",
            ".5s",
            ".s",
            "1..5s",
            "1.5.5s",
            "1e3s",
            "0x1s",
            "1s2",
            "1h-2m",
            "inf",
            "NaN",
            "infs",
            "1_0s",
            "1\u{b5}",
            "1\u{2126}s",
            "\u{661}s",
            "1s\0",
        ] {
            assert_eq!(nanos(text), None, "{text:?}");
        }
        assert_eq!(parse(b"1\xb5"), None);
        assert_eq!(parse(b"\xff1s"), None);
    }
}
