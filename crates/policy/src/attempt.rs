//! The record of one send: what a caller sees in `attempts` and in the hooks.

use std::time::{Duration, SystemTime};

/// Why an attempt was followed by what followed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A final answer.
    Answered,
    /// Waited as long as the server asked.
    RetryAfter,
    /// Waited for the own backoff.
    Backoff,
    /// Waited for the own backoff after no response.
    Network,
    /// A rule forbids sending it again.
    NotRetryable,
    /// It was the last allowed attempt.
    AttemptsExhausted,
    /// Held back until it gave up.
    RateLimited,
    /// The time left does not reach.
    BudgetExceeded,
    /// `onRetry` returned false.
    Stopped,
}

impl Reason {
    pub const ALL: [Self; 9] = [
        Self::Answered,
        Self::RetryAfter,
        Self::Backoff,
        Self::Network,
        Self::NotRetryable,
        Self::AttemptsExhausted,
        Self::RateLimited,
        Self::BudgetExceeded,
        Self::Stopped,
    ];

    /// The value of the PHP enum's case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::RetryAfter => "retry-after",
            Self::Backoff => "backoff",
            Self::Network => "network",
            Self::NotRetryable => "not-retryable",
            Self::AttemptsExhausted => "attempts-exhausted",
            Self::RateLimited => "rate-limited",
            Self::BudgetExceeded => "budget-exceeded",
            Self::Stopped => "stopped",
        }
    }
}

/// Why there is no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    Dns,
    Connect,
    Tls,
    Timeout,
    Reset,
    Protocol,
    TooLarge,
    Redirect,
    Sink,
}

impl FailureKind {
    pub const ALL: [Self; 9] = [
        Self::Dns,
        Self::Connect,
        Self::Tls,
        Self::Timeout,
        Self::Reset,
        Self::Protocol,
        Self::TooLarge,
        Self::Redirect,
        Self::Sink,
    ];

    /// `NetworkException::$kind`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Reset => "reset",
            Self::Protocol => "protocol",
            Self::TooLarge => "too-large",
            Self::Redirect => "redirect",
            Self::Sink => "sink",
        }
    }
}

/// One send.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// 1 for the first.
    pub number: u32,
    pub status: Option<u16>,
    /// What went wrong, for a person; `None` when there was a response.
    pub error: Option<String>,
    pub started_at: SystemTime,
    pub duration: Duration,
    /// The call's own wait after it.
    pub wait: Duration,
    /// How long gate, limit or slot held it back before it was sent.
    pub paced: Duration,
    pub reason: Reason,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_the_public_names() {
        assert_eq!(
            Reason::ALL.map(Reason::as_str),
            [
                "answered",
                "retry-after",
                "backoff",
                "network",
                "not-retryable",
                "attempts-exhausted",
                "rate-limited",
                "budget-exceeded",
                "stopped",
            ]
        );
        assert_eq!(
            FailureKind::ALL.map(FailureKind::as_str),
            ["dns", "connect", "tls", "timeout", "reset", "protocol", "too-large", "redirect", "sink"]
        );
    }
}
