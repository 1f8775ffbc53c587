//! How a rejected value is written in a rule: as PHP itself would show it.

/// The longest text repeated in a message; the rest of a longer one is cut off.
const MAX_TEXT: usize = 60;

/// The widest number PHP writes without an exponent (`serialize_precision = -1` means 17 digits).
const MAX_PLAIN_DIGITS: i32 = 17;

/// A float as PHP's `json_encode` and `var_dump` write it: the fewest digits that read back as the
/// same value, so that 0.9999999999999999 is not shown as the 1 it fails to be.
#[must_use]
pub fn float(value: f64) -> String {
    if value.is_nan() {
        return "NAN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "INF" } else { "-INF" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let digits_before_point = exponent.parse::<i32>().unwrap_or(0).saturating_add(1);
    // php-src main/snprintf.c, php_gcvt: an exponent below 0.0001 and above the precision.
    if value == 0.0 || (-3..=MAX_PLAIN_DIGITS).contains(&digits_before_point) {
        return format!("{value}");
    }
    let mantissa = if mantissa.contains('.') { mantissa.to_owned() } else { format!("{mantissa}.0") };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{mantissa}E{sign}{exponent}")
}

/// A text in double quotes, cut and without control characters.
#[must_use]
pub fn text(value: &str) -> String {
    let mut shown: String =
        value.chars().take(MAX_TEXT).map(|c| if c.is_control() { '?' } else { c }).collect();
    if value.chars().nth(MAX_TEXT).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_look_as_php_prints_them() {
        for (value, shown) in [
            (0.5, "0.5"),
            (-1.0, "-1"),
            (0.0, "0"),
            (-0.0, "-0"),
            (100_000.0, "100000"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.999_999_999_999_999_9, "0.9999999999999999"),
            (0.0001, "0.0001"),
            (0.000_01, "1.0E-5"),
            (1.5e-7, "1.5E-7"),
            (1e15, "1000000000000000"),
            (1e16, "10000000000000000"),
            (1e17, "1.0E+17"),
            (123_456_789_012_345_678.0, "1.2345678901234568E+17"),
            (1e25, "1.0E+25"),
            (-1e25, "-1.0E+25"),
            (5e-324, "5.0E-324"),
            (f64::INFINITY, "INF"),
            (f64::NEG_INFINITY, "-INF"),
            (f64::NAN, "NAN"),
        ] {
            assert_eq!(float(value), shown);
        }
    }

    #[test]
    fn texts_are_cut_and_printable() {
        assert_eq!(text("fast"), "\"fast\"");
        assert_eq!(text("a\0b\nc"), "\"a?b?c\"");
        assert_eq!(text(&"é".repeat(60)), format!("\"{}\"", "é".repeat(60)));
        assert_eq!(text(&"é".repeat(61)), format!("\"{}…\"", "é".repeat(60)));
    }
}
