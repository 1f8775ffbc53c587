//! Decimal numbers in header fields and bodies: digits, at most one point, nothing else.
//!
//! Not `f64::from_str`: it takes `1e9`, `+1`, `inf` and `NaN`, and would lose nanoseconds.

use std::time::Duration;

/// Digits of a fraction that are kept; what follows rounds up.
const FRACTION_DIGITS: usize = 9;

/// Billionths in one.
pub(crate) const BILLION: u64 = 1_000_000_000;

pub(crate) fn seconds(text: &[u8]) -> Option<Duration> {
    let (whole, billionths) = decimal(text)?;
    Some(Duration::from_secs(whole).saturating_add(Duration::from_nanos(billionths)))
}

pub(crate) fn milliseconds(text: &[u8]) -> Option<Duration> {
    let (whole, billionths) = decimal(text)?;
    Some(Duration::from_millis(whole).saturating_add(Duration::from_nanos(billionths.div_ceil(1000))))
}

/// `digits` or `digits.digits`, as the whole part, saturating, and billionths, rounded up to at
/// most [`BILLION`].
pub(crate) fn decimal(text: &[u8]) -> Option<(u64, u64)> {
    let mut parts = text.splitn(2, |byte| *byte == b'.');
    let whole = number(parts.next()?)?;
    let Some(fraction) = parts.next() else { return Some((whole, 0)) };
    number(fraction)?;
    let kept = fraction.iter().copied().chain(std::iter::repeat(b'0')).take(FRACTION_DIGITS);
    let billionths = kept.fold(0_u64, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    let rest = fraction.iter().skip(FRACTION_DIGITS).any(|digit| *digit != b'0');
    Some((whole, billionths + u64::from(rest)))
}

/// At least one digit and nothing else.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u64, |sum, byte| {
        byte.is_ascii_digit().then(|| sum.saturating_mul(10).saturating_add(u64::from(byte - b'0')))
    })
}
