//! How a refusal says when to come again.

use std::time::Duration;

use super::forms::{decimal_seconds, due_second, whole_ms, whole_seconds};
use crate::clock::Stamp;
use crate::dates;
use crate::step::Header;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Style {
    None,
    Seconds,
    Fraction,
    Ms,
    Date,
    /// Sent as it is, whatever the limiter says.
    Fixed(String),
}

impl Style {
    pub fn parse(name: &str) -> Result<Self, String> {
        Ok(match name {
            "none" => Self::None,
            "seconds" | "window-end" => Self::Seconds,
            "fraction" => Self::Fraction,
            "ms" => Self::Ms,
            "date" => Self::Date,
            fixed if fixed.parse::<f64>().is_ok() => Self::Fixed(fixed.to_owned()),
            other => return Err(format!("retry_after={other} is not known")),
        })
    }

    /// A wait of zero is one that nobody knows, and is not said.
    #[must_use]
    pub fn header(&self, wait: Duration, at: Stamp) -> Option<Header> {
        let (name, value) = match self {
            Self::Fixed(value) => ("Retry-After", value.clone()),
            _ if wait.is_zero() => return None,
            Self::None => return None,
            Self::Seconds => ("Retry-After", whole_seconds(wait).to_string()),
            Self::Fraction => ("Retry-After", decimal_seconds(wait)),
            Self::Ms => ("retry-after-ms", whole_ms(wait).to_string()),
            Self::Date => ("Retry-After", dates::http_date(due_second(wait, at))),
        };
        Some(Header::new(name, value))
    }
}
