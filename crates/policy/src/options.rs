//! The options of a client that the policy reads, checked once.

use std::time::Duration;

use crate::{backoff::Backoff, given, limit::Limit, status::StatusSet, time::from_seconds};

/// Options as the caller wrote them: seconds as `f64`, counts as PHP ints.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub max_attempts: i64,
    pub base_delay: f64,
    pub multiplier: f64,
    pub max_delay: f64,
    pub jitter: f64,
    pub max_retry_after: f64,
    /// `None` is the default: 429 and 5xx.
    pub retry_on: Option<StatusSet>,
    pub retry_unsafe: bool,
    pub idempotency_key: bool,
    pub timeout: f64,
    pub connect_timeout: f64,
    pub idle_timeout: Option<f64>,
    pub budget: Option<f64>,
    /// 0 follows none.
    pub max_redirects: i64,
    /// 0 allows only answers without a body.
    pub max_body_size: i64,
    pub limit: Option<String>,
}

/// The defaults of the public constructor.
impl Default for Options {
    fn default() -> Self {
        Self {
            max_attempts: 5,
            base_delay: 0.5,
            multiplier: 2.0,
            max_delay: 30.0,
            jitter: 0.25,
            max_retry_after: 30.0,
            retry_on: None,
            retry_unsafe: false,
            idempotency_key: true,
            timeout: 600.0,
            connect_timeout: 10.0,
            idle_timeout: None,
            budget: None,
            max_redirects: 5,
            max_body_size: 64 * 1024 * 1024,
            limit: None,
        }
    }
}

/// Options that hold: every field is in its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub max_attempts: u32,
    pub backoff: Backoff,
    pub max_retry_after: Duration,
    pub retry_on: StatusSet,
    pub retry_unsafe: bool,
    pub idempotency_key: bool,
    pub timeout: Duration,
    pub connect_timeout: Duration,
    pub idle_timeout: Option<Duration>,
    pub budget: Option<Duration>,
    pub max_redirects: u32,
    pub max_body_size: u64,
    pub limit: Option<Limit>,
}

/// An option outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{option} {rule}")]
pub struct OptionError {
    /// The PHP constructor's name for it: `maxAttempts`.
    pub option: &'static str,
    /// What it must be and what was given, to follow the argument's name:
    /// `must be greater than or equal to 1, 0 given`.
    pub rule: String,
}

impl Options {
    /// # Errors
    /// The first option, in the constructor's order, that is outside its range.
    pub fn validate(&self) -> Result<Settings, OptionError> {
        // Fields are evaluated as they are written, so their order is the order of the checks.
        let max_attempts = count("maxAttempts", self.max_attempts, 1)?;
        let backoff = Backoff {
            base: seconds("baseDelay", self.base_delay)?,
            multiplier: at_least("multiplier", self.multiplier, 1.0)?,
            max: seconds("maxDelay", self.max_delay)?,
            jitter: seconds("jitter", self.jitter)?,
        };
        Ok(Settings {
            max_attempts,
            backoff,
            max_retry_after: seconds("maxRetryAfter", self.max_retry_after)?,
            retry_on: self.retry_on.clone().unwrap_or_default(),
            retry_unsafe: self.retry_unsafe,
            idempotency_key: self.idempotency_key,
            timeout: positive_seconds("timeout", self.timeout)?,
            connect_timeout: positive_seconds("connectTimeout", self.connect_timeout)?,
            idle_timeout: self
                .idle_timeout
                .map(|value| positive_seconds("idleTimeout", value))
                .transpose()?,
            budget: self.budget.map(|value| positive_seconds("budget", value)).transpose()?,
            max_redirects: count("maxRedirects", self.max_redirects, 0)?,
            max_body_size: size("maxBodySize", self.max_body_size)?,
            limit: self.limit.as_deref().map(limit).transpose()?,
        })
    }
}

/// A count of at least `least`; what is above 32 bits is as good as endless.
fn count(option: &'static str, value: i64, least: u32) -> Result<u32, OptionError> {
    if value < i64::from(least) {
        return Err(OptionError { option, rule: too_small(&least.to_string(), &value.to_string()) });
    }
    Ok(u32::try_from(value).unwrap_or(u32::MAX))
}

fn size(option: &'static str, value: i64) -> Result<u64, OptionError> {
    u64::try_from(value).map_err(|_| OptionError { option, rule: too_small("0", &value.to_string()) })
}

fn finite(option: &'static str, value: f64) -> Result<f64, OptionError> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(OptionError { option, rule: format!("must be finite, {} given", given::float(value)) })
}

fn at_least(option: &'static str, value: f64, least: f64) -> Result<f64, OptionError> {
    if finite(option, value)? < least {
        return Err(OptionError { option, rule: too_small(&given::float(least), &given::float(value)) });
    }
    Ok(value)
}

fn seconds(option: &'static str, value: f64) -> Result<Duration, OptionError> {
    at_least(option, value, 0.0).map(from_seconds)
}

fn positive_seconds(option: &'static str, value: f64) -> Result<Duration, OptionError> {
    if finite(option, value)? <= 0.0 {
        let rule = format!("must be greater than 0, {} given", given::float(value));
        return Err(OptionError { option, rule });
    }
    Ok(from_seconds(value))
}

fn limit(text: &str) -> Result<Limit, OptionError> {
    Limit::parse(text).map_err(|rule| OptionError { option: "limit", rule })
}

fn too_small(least: &str, given: &str) -> String {
    format!("must be greater than or equal to {least}, {given} given")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> Options {
        Options::default()
    }

    #[test]
    fn the_defaults_hold() {
        let seconds = Duration::from_secs;
        assert_eq!(
            defaults().validate(),
            Ok(Settings {
                max_attempts: 5,
                backoff: Backoff {
                    base: Duration::from_millis(500),
                    multiplier: 2.0,
                    max: seconds(30),
                    jitter: Duration::from_millis(250),
                },
                max_retry_after: seconds(30),
                retry_on: StatusSet::default(),
                retry_unsafe: false,
                idempotency_key: true,
                timeout: seconds(600),
                connect_timeout: seconds(10),
                idle_timeout: None,
                budget: None,
                max_redirects: 5,
                max_body_size: 67_108_864,
                limit: None,
            })
        );
    }

    type Change = fn(&mut Options);

    fn error(change: Change) -> String {
        let mut options = defaults();
        change(&mut options);
        options.validate().unwrap_err().to_string()
    }

    #[test]
    fn each_range_has_its_rule() {
        let cases: [(Change, &str); 37] = [
            (|o| o.max_attempts = 0, "maxAttempts must be greater than or equal to 1, 0 given"),
            (
                |o| o.max_attempts = i64::MIN,
                "maxAttempts must be greater than or equal to 1, -9223372036854775808 given",
            ),
            (|o| o.base_delay = -0.5, "baseDelay must be greater than or equal to 0, -0.5 given"),
            (|o| o.base_delay = f64::NAN, "baseDelay must be finite, NAN given"),
            (|o| o.base_delay = f64::INFINITY, "baseDelay must be finite, INF given"),
            (|o| o.base_delay = f64::NEG_INFINITY, "baseDelay must be finite, -INF given"),
            (|o| o.multiplier = 0.5, "multiplier must be greater than or equal to 1, 0.5 given"),
            (|o| o.multiplier = -1e25, "multiplier must be greater than or equal to 1, -1.0E+25 given"),
            (|o| o.multiplier = f64::NAN, "multiplier must be finite, NAN given"),
            (|o| o.multiplier = f64::INFINITY, "multiplier must be finite, INF given"),
            (|o| o.max_delay = -1.0, "maxDelay must be greater than or equal to 0, -1 given"),
            (|o| o.max_delay = f64::INFINITY, "maxDelay must be finite, INF given"),
            (|o| o.jitter = -1e-7, "jitter must be greater than or equal to 0, -1.0E-7 given"),
            (|o| o.jitter = f64::NAN, "jitter must be finite, NAN given"),
            (|o| o.max_retry_after = -30.0, "maxRetryAfter must be greater than or equal to 0, -30 given"),
            (|o| o.max_retry_after = f64::INFINITY, "maxRetryAfter must be finite, INF given"),
            (|o| o.timeout = 0.0, "timeout must be greater than 0, 0 given"),
            (|o| o.timeout = -0.0, "timeout must be greater than 0, -0 given"),
            (|o| o.timeout = -1.0, "timeout must be greater than 0, -1 given"),
            (|o| o.timeout = f64::INFINITY, "timeout must be finite, INF given"),
            (|o| o.connect_timeout = 0.0, "connectTimeout must be greater than 0, 0 given"),
            (|o| o.connect_timeout = f64::NAN, "connectTimeout must be finite, NAN given"),
            (|o| o.idle_timeout = Some(0.0), "idleTimeout must be greater than 0, 0 given"),
            (|o| o.idle_timeout = Some(f64::NAN), "idleTimeout must be finite, NAN given"),
            (|o| o.budget = Some(-2.5), "budget must be greater than 0, -2.5 given"),
            (|o| o.budget = Some(f64::INFINITY), "budget must be finite, INF given"),
            (|o| o.max_redirects = -1, "maxRedirects must be greater than or equal to 0, -1 given"),
            (|o| o.max_body_size = -1, "maxBodySize must be greater than or equal to 0, -1 given"),
            (
                |o| o.limit = Some("fast".into()),
                "limit must be a list of limits like \"40/min\", \"500/min burst 20\", \"40 per 4s\" or \"5 at once\", \"fast\" given",
            ),
            (
                |o| o.limit = Some("0/min".into()),
                "limit must have only numbers greater than or equal to 1, \"0/min\" given",
            ),
            // The first in the constructor's order is the one that is told.
            (
                |o| (o.max_attempts, o.base_delay) = (0, -1.0),
                "maxAttempts must be greater than or equal to 1, 0 given",
            ),
            (
                |o| (o.multiplier, o.max_delay) = (0.0, -1.0),
                "multiplier must be greater than or equal to 1, 0 given",
            ),
            (
                |o| (o.jitter, o.max_retry_after) = (-1.0, -2.0),
                "jitter must be greater than or equal to 0, -1 given",
            ),
            (
                |o| (o.max_retry_after, o.timeout) = (-1.0, 0.0),
                "maxRetryAfter must be greater than or equal to 0, -1 given",
            ),
            (
                |o| (o.connect_timeout, o.idle_timeout) = (0.0, Some(0.0)),
                "connectTimeout must be greater than 0, 0 given",
            ),
            (|o| (o.budget, o.max_redirects) = (Some(0.0), -1), "budget must be greater than 0, 0 given"),
            (
                |o| (o.max_body_size, o.limit) = (-1, Some(String::new())),
                "maxBodySize must be greater than or equal to 0, -1 given",
            ),
        ];
        for (change, expected) in cases {
            assert_eq!(error(change), expected);
        }
    }

    #[test]
    fn the_edges_of_the_ranges_hold() {
        let settings = Options {
            max_attempts: i64::MAX,
            base_delay: 0.0,
            multiplier: 1.0,
            max_delay: f64::MAX,
            jitter: 0.0,
            max_retry_after: 0.0,
            timeout: 5e-324,
            idle_timeout: Some(0.5),
            budget: Some(1e25),
            max_redirects: 0,
            max_body_size: 0,
            limit: Some("40/min, 5 at once".into()),
            ..defaults()
        }
        .validate()
        .unwrap();
        assert_eq!(settings.max_attempts, u32::MAX);
        assert_eq!(settings.backoff.base, Duration::ZERO);
        assert_eq!(settings.backoff.max, Duration::from_nanos(u64::MAX));
        assert_eq!(settings.timeout, Duration::from_nanos(1));
        assert_eq!(settings.idle_timeout, Some(Duration::from_millis(500)));
        assert_eq!(settings.budget, Some(Duration::from_nanos(u64::MAX)));
        assert_eq!((settings.max_redirects, settings.max_body_size), (0, 0));
        assert_eq!(settings.limit.map(|limit| limit.rules.len()), Some(2));
        let endless =
            Options { max_redirects: i64::MAX, max_body_size: i64::MAX, ..defaults() }.validate().unwrap();
        assert_eq!((endless.max_redirects, endless.max_body_size), (u32::MAX, i64::MAX.unsigned_abs()));
    }

    #[test]
    fn the_callers_statuses_replace_the_default() {
        let mut set = StatusSet::empty();
        set.insert(418).unwrap();
        let settings = Options { retry_on: Some(set), ..defaults() }.validate().unwrap();
        assert!(settings.retry_on.contains(418));
        assert!(!settings.retry_on.contains(429));
    }
}
