//! What an outcome says about a limit.

use std::time::Duration;

use crate::{
    decide::{OVERLOADED, Outcome, TOO_MANY_REQUESTS, is_incurable},
    server_wish,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The server took it: any answer but those below.
    Accepted,
    /// 429: too much.
    Refused { wish: Option<Duration> },
    /// 503 or 529 with a time: come back then. Says nothing about a rate.
    Overloaded { wish: Duration },
    /// No response, or one that says nothing about a limit.
    Nothing,
}

impl What {
    #[must_use]
    pub fn of(outcome: &Outcome<'_>) -> Self {
        let Outcome::Answer { status, headers, body, arrived_wall, .. } = *outcome else {
            return Self::Nothing;
        };
        let wish = || {
            server_wish::in_headers(headers, arrived_wall)
                .or_else(|| server_wish::elsewhere(headers, body, arrived_wall))
        };
        match status {
            // That waiting cannot cure is about money, not about a rate.
            TOO_MANY_REQUESTS if is_incurable(body) => Self::Nothing,
            TOO_MANY_REQUESTS => Self::Refused { wish: wish() },
            _ if OVERLOADED.contains(&status) => {
                wish().map_or(Self::Nothing, |wish| Self::Overloaded { wish })
            }
            500.. => Self::Nothing,
            _ => Self::Accepted,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use http::HeaderMap;

    use super::*;
    use crate::{Failure, FailureKind, Timestamp};

    fn what(status: u16, lines: &[(&'static str, &str)], body: &str) -> What {
        let headers = HeaderMap::from_iter(lines.iter().map(|(name, value)| {
            (http::HeaderName::from_static(name), value.parse::<http::HeaderValue>().unwrap())
        }));
        What::of(&Outcome::Answer {
            status,
            headers: &headers,
            body: body.as_bytes(),
            arrived: Timestamp::default(),
            arrived_wall: UNIX_EPOCH,
        })
    }

    #[test]
    fn each_status() {
        let after = [("retry-after", "3")];
        let wish = Some(Duration::from_secs(3));
        for (status, lines, expected) in [
            (200, &[][..], What::Accepted),
            (404, &after[..], What::Accepted),
            (301, &[], What::Accepted),
            (429, &[], What::Refused { wish: None }),
            (429, &after, What::Refused { wish }),
            (503, &after, What::Overloaded { wish: Duration::from_secs(3) }),
            (529, &after, What::Overloaded { wish: Duration::from_secs(3) }),
            (503, &[], What::Nothing),
            (500, &after, What::Nothing),
            (504, &after, What::Nothing),
        ] {
            assert_eq!(what(status, lines, ""), expected, "{status} {lines:?}");
        }
    }

    #[test]
    fn the_other_sources() {
        let used_up = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "7")];
        assert_eq!(what(429, &used_up, ""), What::Refused { wish: Some(Duration::from_secs(7)) });
        assert_eq!(what(429, &[], r#"{"error":{"code":"insufficient_quota"}}"#), What::Nothing);
        let failure = Failure { kind: FailureKind::Reset, unsent: false, permanent: false };
        assert_eq!(What::of(&Outcome::Failure(failure)), What::Nothing);
    }
}
