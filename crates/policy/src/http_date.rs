//! HTTP-dates (RFC 9110 section 5.6.7), read as servers write them.
//!
//! Each of the three forms is rewritten as an IMF-fixdate and then parsed by `httpdate`, which
//! checks every field and that the weekday is the date's own. The rewriting adds what `httpdate` lacks:
//! the sliding century of RFC 850's year, a leap second, a one-digit day, `UTC` and `-0000`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, header};

/// A `Date` further than this from the local clock shows that one of the two is wrong, and the
/// server counted from its own. Nearer than this the local one is better: `Date` has whole seconds.
const MAX_CLOCK_SKEW: Duration = Duration::from_secs(2);

const WEEKDAYS: [(&str, &str); 7] = [
    ("Mon", "Monday"),
    ("Tue", "Tuesday"),
    ("Wed", "Wednesday"),
    ("Thu", "Thursday"),
    ("Fri", "Friday"),
    ("Sat", "Saturday"),
    ("Sun", "Sunday"),
];

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// How far ahead a two-digit year can lie (RFC 9110 section 5.6.7).
const MAX_YEARS_AHEAD: u16 = 50;

/// 9999-12-31T23:59:59Z, the last second `httpdate` can write.
const LAST_SECOND: u64 = 253_402_300_799;

/// The instant that `value` names; `now` chooses the century of a two-digit year.
pub(crate) fn parse(value: &[u8], now: SystemTime) -> Option<SystemTime> {
    let text = std::str::from_utf8(value).ok()?;
    let parts: Vec<&str> = text.splitn(7, ' ').collect();
    match *parts.as_slice() {
        // Sun, 06 Nov 1994 08:49:37 GMT
        [weekday, day, month, year, clock, zone] if is_utc(zone) => {
            instant(weekday.strip_suffix(',')?, day, month, year, clock)
        }
        // Sunday, 06-Nov-94 08:49:37 GMT
        [weekday, date, clock, zone] if is_utc(zone) => {
            let (day, rest) = date.split_once('-')?;
            let (month, two_digits) = rest.split_once('-')?;
            let year = full_year(two_digits, month, day, clock, now)?;
            instant(short_weekday(weekday.strip_suffix(',')?)?, day, month, &year.to_string(), clock)
        }
        // Sun Nov  6 08:49:37 1994
        [weekday, month, "", day, clock, year] | [weekday, month, day, clock, year] => {
            instant(weekday, day, month, year, clock)
        }
        _ => None,
    }
}

/// The clock that the dates of an answer count from: its own `Date` when that and the local clock
/// disagree, else the local one, `now`.
pub(crate) fn server_clock(headers: &HeaderMap, now: SystemTime) -> SystemTime {
    let sent = headers.get(header::DATE).and_then(|date| parse(date.as_bytes().trim_ascii(), now));
    sent.filter(|sent| distance(*sent, now) > MAX_CLOCK_SKEW).unwrap_or(now)
}

fn distance(one: SystemTime, other: SystemTime) -> Duration {
    one.duration_since(other).unwrap_or_else(|before| before.duration())
}

fn is_utc(zone: &str) -> bool {
    matches!(zone, "GMT" | "UTC" | "-0000")
}

fn short_weekday(full: &str) -> Option<&'static str> {
    WEEKDAYS.iter().find(|(_, name)| *name == full).map(|(short, _)| *short)
}

fn instant(weekday: &str, day: &str, month: &str, year: &str, clock: &str) -> Option<SystemTime> {
    let (clock, leap) = match clock.strip_suffix(":60") {
        Some(minute) => (format!("{minute}:59"), Duration::from_secs(1)),
        None => (clock.to_owned(), Duration::ZERO),
    };
    let canonical = format!("{weekday}, {day:0>2} {month} {year} {clock} GMT");
    httpdate::parse_http_date(&canonical).ok()?.checked_add(leap)
}

/// The latest year that ends in `two_digits` and puts the date no more than fifty years after `now`.
fn full_year(two_digits: &str, month: &str, day: &str, clock: &str, now: SystemTime) -> Option<u16> {
    if two_digits.len() != 2 || !two_digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let seconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()).min(LAST_SECOND);
    let today = httpdate::fmt_http_date(UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?);
    let [_, today_day, today_month, today_year, now_clock, _] =
        *today.split(' ').collect::<Vec<_>>().as_slice()
    else {
        return None;
    };
    let limit = today_year.parse::<u16>().ok()?.saturating_add(MAX_YEARS_AHEAD);
    let past_limit = limit.checked_sub(two_digits.parse().ok()?)? % 100;
    let year = limit.checked_sub(past_limit)?;
    // Within the year of the limit, text order is time order: every field has two digits.
    let day = format!("{day:0>2}");
    let later =
        (month_index(month)?, day.as_str(), clock) > (month_index(today_month)?, today_day, now_clock);
    if year == limit && later { year.checked_sub(100) } else { Some(year) }
}

fn month_index(month: &str) -> Option<usize> {
    MONTHS.iter().position(|name| *name == month)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-01T00:00:00Z.
    const NOW: u64 = 1_767_225_600;

    fn at(value: &str, now: u64) -> Option<u64> {
        let now = UNIX_EPOCH + Duration::from_secs(now);
        parse(value.as_bytes(), now).map(|date| date.duration_since(UNIX_EPOCH).unwrap().as_secs())
    }

    #[test]
    fn the_three_forms_and_the_lenient_ones() {
        for value in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sunday, 6-Nov-94 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994",
            "Sun Nov 06 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 -0000",
            "Sunday, 06-Nov-94 08:49:37 UTC",
            "Sunday, 06-Nov-94 08:49:37 -0000",
        ] {
            assert_eq!(at(value, NOW), Some(784_111_777), "{value}");
        }
    }

    #[test]
    fn everything_else_is_no_date() {
        for value in [
            "",
            " ",
            "tomorrow",
            "Sun, 06 Nov 1994",
            // The date was a Sunday.
            "Mon, 06 Nov 1994 08:49:37 GMT",
            "Monday, 06-Nov-94 08:49:37 GMT",
            "Mon Nov  6 08:49:37 1994",
            "Zun, 06 Nov 1994 08:49:37 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37 +0100",
            "Sun, 06 Nov 1994 08:49:37 EST",
            "Sun, 06 Nov 1994 08:49:37 gmt",
            "sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 GMT GMT",
            "Sun, 06  Nov 1994 08:49:37 GMT",
            "Sun, 006 Nov 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT",
            "Fri, 32 Dec 1999 23:59:59 GMT",
            "Tue, 30 Feb 1999 23:59:59 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "Fri, 29 Sep 100000 16:26:57 GMT",
            "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT",
            "Sunday, 06-Nov-4 08:49:37 GMT",
            "Sunday, 06-Nov-+4 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37",
            "Sunday, 06-Nov 08:49:37 GMT",
            "Wed, 31 Dec 1969 23:59:59 GMT",
            "Sun Nov  6 08:49:37 1994 GMT",
            "1994-11-06T08:49:37Z",
        ] {
            assert_eq!(at(value, NOW), None, "{value}");
        }
        assert_eq!(parse(b"\xff\xfe", UNIX_EPOCH), None);
    }

    #[test]
    fn a_leap_second_is_the_next_second() {
        assert_eq!(at("Sat, 31 Dec 2016 23:59:60 GMT", NOW), at("Sun, 01 Jan 2017 00:00:00 GMT", NOW));
    }

    #[test]
    fn the_last_day_does_not_overflow() {
        assert_eq!(at("Fri, 31 Dec 9999 23:59:59 GMT", NOW), Some(LAST_SECOND));
        assert_eq!(at("Fri, 31 Dec 9999 23:59:60 GMT", NOW), Some(LAST_SECOND + 1));
    }

    #[test]
    fn two_digit_years_reach_fifty_years_ahead() {
        let new_year = |year: &str| at(&format!("Sat, 01 Jan {year} 00:00:00 GMT"), NOW).unwrap();
        // 1 January: 2050 is a Saturday, 2000 and 2028 too.
        for (value, now, year) in [
            ("Saturday, 01-Jan-28 00:00:00 GMT", NOW, "2028"),
            ("Saturday, 01-Jan-50 00:00:00 GMT", NOW, "2050"),
            // Exactly fifty years ahead is not more than fifty.
            ("Saturday, 01-Jan-50 00:00:00 GMT", new_year("2000"), "2050"),
            // The next century, not the one that has just ended.
            ("Friday, 01-Jan-00 00:00:00 GMT", new_year("2050"), "2100"),
        ] {
            let weekday = value.split_once("day").unwrap().0;
            let short = WEEKDAYS.iter().find(|(_, full)| full.starts_with(weekday)).unwrap().0;
            let expected = at(&format!("{short}, 01 Jan {year} 00:00:00 GMT"), NOW);
            assert!(expected.is_some());
            assert_eq!(at(value, now), expected, "{value} at {now}");
        }
        // One second past the fifty years: 1950, whose 1 January was a Sunday and before 1970.
        assert_eq!(at("Saturday, 01-Jan-50 00:00:01 GMT", new_year("2000")), None);
        // 1976 and 2076: the weekday of the century that is meant must match.
        assert_eq!(at("Thursday, 01-Jan-76 00:00:01 GMT", NOW), at("Thu, 01 Jan 1976 00:00:01 GMT", NOW));
        assert_eq!(at("Wednesday, 01-Jan-76 00:00:00 GMT", NOW), at("Wed, 01 Jan 2076 00:00:00 GMT", NOW));
        assert_eq!(at("Wednesday, 01-Jan-76 00:00:01 GMT", NOW), None);
    }

    #[test]
    fn any_clock_will_do() {
        let ends = [
            UNIX_EPOCH - Duration::from_secs(1),
            UNIX_EPOCH,
            UNIX_EPOCH + Duration::from_secs(u64::MAX >> 1),
        ];
        for now in ends {
            let _ = parse(b"Sunday, 06-Nov-94 08:49:37 GMT", now);
        }
    }
}
