//! When a quota is reset: as a span, a date or a number of seconds or milliseconds.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::go_duration;
use crate::{
    decimal::{milliseconds, seconds},
    http_date,
    time::from_wide_nanos,
};

/// Above this a number is no span of seconds (31 years) but seconds since 1970.
const LEAST_EPOCH: Duration = Duration::from_secs(1_000_000_000);

/// Above this it is milliseconds since 1970.
const LEAST_EPOCH_MILLIS: Duration = Duration::from_secs(1_000_000_000_000);

/// A reset as told: saturated, and zero when it is in the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reset {
    pub(super) after: Duration,
    /// Told in whole seconds.
    pub(super) coarse: bool,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Span,
    Date,
    Seconds,
    Epoch,
    EpochMillis,
}

/// How a header tells its reset. Dates and epochs count from the clock that is passed.
pub(super) type Reader = fn(&[u8], SystemTime) -> Option<Reset>;

impl Reset {
    pub(super) fn seconds(seconds: u64) -> Self {
        Self::span(Form::Seconds, Duration::from_secs(seconds))
    }

    fn span(form: Form, after: Duration) -> Self {
        Self { after, coarse: after.subsec_nanos() == 0, form }
    }

    /// At an instant that long after 1970.
    fn at(form: Form, told: Duration, clock: SystemTime) -> Self {
        let due = UNIX_EPOCH.checked_add(told);
        let after = due.map_or(Duration::MAX, |due| due.duration_since(clock).unwrap_or_default());
        Self { after, coarse: told.subsec_nanos() == 0, form }
    }

    /// Of two the longer; `None` when one was told in another form, since one of them is then misread.
    pub(super) fn longer(self, other: Self) -> Option<Self> {
        let longer = if other.after > self.after { other } else { self };
        (self.form == other.form).then_some(longer)
    }
}

/// Any form, told apart by the value.
pub(super) fn any(text: &[u8], clock: SystemTime) -> Option<Reset> {
    let span = || Some(Reset::span(Form::Span, go_duration::parse(text)?));
    number(text, clock).or_else(span).or_else(|| date(text, clock))
}

/// Seconds from now, or since 1970, or milliseconds since 1970.
pub(super) fn number(text: &[u8], clock: SystemTime) -> Option<Reset> {
    let told = seconds(text)?;
    if told > LEAST_EPOCH_MILLIS {
        return Some(Reset::at(Form::EpochMillis, milliseconds(text)?, clock));
    }
    Some(if told > LEAST_EPOCH {
        Reset::at(Form::Epoch, told, clock)
    } else {
        Reset::span(Form::Seconds, told)
    })
}

/// Seconds from now.
pub(super) fn delta(text: &[u8], _: SystemTime) -> Option<Reset> {
    seconds(text).map(|told| Reset::span(Form::Seconds, told))
}

/// RFC 3339 with any offset, or an HTTP-date.
pub(super) fn date(text: &[u8], clock: SystemTime) -> Option<Reset> {
    let rfc3339 = || {
        let date: jiff::Timestamp = std::str::from_utf8(text).ok()?.parse().ok()?;
        // A date before 1970 is as past as 1970.
        Some(from_wide_nanos(u128::try_from(date.as_nanosecond()).unwrap_or(0)))
    };
    let http_date = || http_date::parse(text, clock)?.duration_since(UNIX_EPOCH).ok();
    rfc3339().or_else(http_date).map(|told| Reset::at(Form::Date, told, clock))
}
