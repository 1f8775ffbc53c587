//! Writes a Unix time in the date forms that HTTP servers use. Values in, text out; the time is passed in.

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

struct Civil {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    weekday: i64,
}

/// Days to a civil date by Howard Hinnant's `civil_from_days`, which is exact for the whole proleptic calendar.
fn civil(unix: i64) -> Civil {
    let days = unix.div_euclid(86_400);
    let rest = unix.rem_euclid(86_400);
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1_460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    Civil {
        year: yoe + era * 400 + i64::from(month <= 2),
        month,
        day: doy - (153 * mp + 2) / 5 + 1,
        hour: rest / 3_600,
        minute: rest / 60 % 60,
        second: rest % 60,
        weekday: (days + 4).rem_euclid(7),
    }
}

fn name_at<'a>(names: &[&'a str], index: i64) -> &'a str {
    usize::try_from(index).ok().and_then(|i| names.get(i)).copied().unwrap_or("?")
}

/// RFC 9110 IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`.
#[must_use]
pub fn http_date(unix: i64) -> String {
    let c = civil(unix);
    let day: String = name_at(&DAYS, c.weekday).chars().take(3).collect();
    let month = name_at(&MONTHS, c.month - 1);
    format!("{day}, {:02} {month} {:04} {:02}:{:02}:{:02} GMT", c.day, c.year, c.hour, c.minute, c.second)
}

/// The obsolete RFC 850 form: `Sunday, 06-Nov-94 08:49:37 GMT`.
#[must_use]
pub fn rfc850(unix: i64) -> String {
    let c = civil(unix);
    let (day, month) = (name_at(&DAYS, c.weekday), name_at(&MONTHS, c.month - 1));
    let year = c.year.rem_euclid(100);
    format!("{day}, {:02}-{month}-{year:02} {:02}:{:02}:{:02} GMT", c.day, c.hour, c.minute, c.second)
}

/// C's asctime: `Sun Nov  6 08:49:37 1994`.
#[must_use]
pub fn asctime(unix: i64) -> String {
    let c = civil(unix);
    let day: String = name_at(&DAYS, c.weekday).chars().take(3).collect();
    let month = name_at(&MONTHS, c.month - 1);
    format!("{day} {month} {:2} {:02}:{:02}:{:02} {:04}", c.day, c.hour, c.minute, c.second, c.year)
}

/// RFC 3339 in UTC: `1994-11-06T08:49:37Z`.
#[must_use]
pub fn rfc3339(unix: i64) -> String {
    let c = civil(unix);
    format!("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", c.year, c.month, c.day, c.hour, c.minute, c.second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_rfc_9110_in_all_forms() {
        let t = 784_111_777;
        assert_eq!(http_date(t), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(rfc850(t), "Sunday, 06-Nov-94 08:49:37 GMT");
        assert_eq!(asctime(t), "Sun Nov  6 08:49:37 1994");
        assert_eq!(rfc3339(t), "1994-11-06T08:49:37Z");
    }

    #[test]
    fn leap_days_and_the_epoch() {
        assert_eq!(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(http_date(951_782_400), "Tue, 29 Feb 2000 00:00:00 GMT");
        assert_eq!(rfc3339(-1), "1969-12-31T23:59:59Z");
    }
}
