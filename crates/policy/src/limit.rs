//! The caller's own `limit`: its grammar and ranges.
//!
//! ```text
//! limit  = rule *( "," rule )
//! rule   = rate / window / count "at" "once"
//! rate   = count "/" period [ "burst" count ]     ; paced, burst 1 unless given
//! window = count "per" period                     ; at most count in any period, count up to 1000
//! period = [ count ] unit                         ; "min" is "1min"
//! unit   = "ms" / "s" / "min" / "h" / "day"
//! count  = 1*DIGIT                                ; 1 to 4294967295
//! ```
//!
//! Letter case and blanks between the parts do not matter: `40PER4S` is `40 per 4s`. The stroke and
//! the word `per` mean different limits, whatever the period: `40/4s` is paced, `40 per min` is a
//! window of a minute. Other names of units are refused, `m` because it could be a month.

use std::{fmt, time::Duration};

use crate::{given, time::nanos};

/// A window remembers each send in it, so its count is bounded.
const MAX_WINDOW_COUNT: u32 = 1000;

/// The units of a period in milliseconds, each longer than those before it.
const UNITS: [(&str, u128); 5] =
    [("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000), ("day", 86_400_000)];

/// `'40/min'`, `'500/min burst 20'`, `'40 per 4s'`, `'5 at once'`, combined by commas.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    pub rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Paced: `count` per `period`, at most `burst` at once.
    Rate { count: u32, period: Duration, burst: u32 },
    /// At most `count` in any `period`.
    Window { count: u32, period: Duration },
    /// At most this many in flight.
    Concurrency(u32),
}

impl Limit {
    /// # Errors
    /// The rule that `text` breaks, to follow the argument's name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lower = text.to_ascii_lowercase();
        let rules: Result<Vec<Rule>, Broken> = lower.split(',').map(parse_rule).collect();
        match rules {
            Ok(rules) => Ok(Self { rules }),
            Err(broken) => Err(format!("{}, {} given", broken.must(), given::text(text))),
        }
    }

    /// The highest cost one call can have; `None` when nothing bounds it.
    #[must_use]
    pub fn max_cost(&self) -> Option<u32> {
        self.rules.iter().filter_map(Rule::max_cost).min()
    }
}

impl Rule {
    /// The highest cost one call can have under this rule; concurrency counts calls, not cost.
    #[must_use]
    pub const fn max_cost(&self) -> Option<u32> {
        match *self {
            Self::Rate { burst, .. } => Some(burst),
            Self::Window { count, .. } => Some(count),
            Self::Concurrency(_) => None,
        }
    }
}

/// As the grammar has it, in its shortest form.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Rate { count, period, burst: 1 } => write!(f, "{count}/{}", spelled(period)),
            Self::Rate { count, period, burst } => write!(f, "{count}/{} burst {burst}", spelled(period)),
            Self::Window { count, period } => write!(f, "{count} per {}", spelled(period)),
            Self::Concurrency(count) => write!(f, "{count} at once"),
        }
    }
}

fn spelled(period: Duration) -> String {
    let millis = period.as_millis();
    let (unit, length) =
        UNITS.into_iter().rev().find(|(_, length)| millis.is_multiple_of(*length)).unwrap_or(UNITS[0]);
    if millis == length { unit.into() } else { format!("{}{unit}", millis / length) }
}

/// # Errors
/// The rule that `cost` breaks under `limit`: finite, greater than 0, at most the burst.
pub fn check_cost(cost: f64, limit: Option<&Limit>) -> Result<(), String> {
    let shown = given::float(cost);
    if !cost.is_finite() {
        return Err(format!("must be finite, {shown} given"));
    }
    if cost <= 0.0 {
        return Err(format!("must be greater than 0, {shown} given"));
    }
    match limit.and_then(Limit::max_cost) {
        Some(most) if cost > f64::from(most) => {
            Err(format!("must be less than or equal to {most}, the burst of the limit, {shown} given"))
        }
        _ => Ok(()),
    }
}

/// What is wrong with a limit's text.
#[derive(Clone, Copy, Debug)]
enum Broken {
    Grammar,
    Zero,
    TooLarge,
    WindowTooLarge,
    PeriodTooLong,
}

impl Broken {
    const fn must(self) -> &'static str {
        match self {
            Self::Grammar => {
                r#"must be a list of limits like "40/min", "500/min burst 20", "40 per 4s" or "5 at once""#
            }
            Self::Zero => "must have only numbers greater than or equal to 1",
            Self::TooLarge => "must have only numbers less than or equal to 4294967295",
            Self::WindowTooLarge => r#"must have at most 1000 in a window like "40 per 4s""#,
            Self::PeriodTooLong => "must have only periods shorter than 500 years",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Number(&'a str),
    Word(&'a str),
    Stroke,
}

fn parse_rule(text: &str) -> Result<Rule, Broken> {
    use Token::{Number, Stroke, Word};
    let rate = |count, times, unit, burst| {
        Ok(Rule::Rate { count: number(count)?, period: period(times, unit)?, burst: number(burst)? })
    };
    match *tokens(text)?.as_slice() {
        [Number(count), Stroke, Word(unit)] => rate(count, "1", unit, "1"),
        [Number(count), Stroke, Number(times), Word(unit)] => rate(count, times, unit, "1"),
        [Number(count), Stroke, Word(unit), Word("burst"), Number(burst)] => rate(count, "1", unit, burst),
        [Number(count), Stroke, Number(times), Word(unit), Word("burst"), Number(burst)] => {
            rate(count, times, unit, burst)
        }
        [Number(count), Word("per"), Word(unit)] => window(count, "1", unit),
        [Number(count), Word("per"), Number(times), Word(unit)] => window(count, times, unit),
        [Number(count), Word("at"), Word("once")] => Ok(Rule::Concurrency(number(count)?)),
        _ => Err(Broken::Grammar),
    }
}

fn window(count: &str, times: &str, unit: &str) -> Result<Rule, Broken> {
    let count = number(count)?;
    if count > MAX_WINDOW_COUNT {
        return Err(Broken::WindowTooLarge);
    }
    Ok(Rule::Window { count, period: period(times, unit)? })
}

/// `times` units. The period fits a [`crate::Timestamp`]'s 64 bits of nanoseconds.
fn period(times: &str, unit: &str) -> Result<Duration, Broken> {
    const LONGEST: Duration = Duration::from_secs(500 * 365 * 86_400);
    let (_, millis) = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or(Broken::Grammar)?;
    let period = Duration::from_millis(millis as u64).saturating_mul(number(times)?);
    if nanos(period) >= nanos(LONGEST) { Err(Broken::PeriodTooLong) } else { Ok(period) }
}

fn number(digits: &str) -> Result<u32, Broken> {
    match digits.parse::<u32>() {
        Ok(0) => Err(Broken::Zero),
        Ok(number) => Ok(number),
        // Digits only, so that it does not fit is all that can be wrong.
        Err(_) => Err(Broken::TooLarge),
    }
}

/// Numbers, words and strokes; blanks only part them. `text` is in lower case.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, Broken> {
    let mut found = Vec::new();
    let mut rest = text.trim_ascii_start();
    while let Some(first) = rest.chars().next() {
        let after = match first {
            '0'..='9' => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
            'a'..='z' => rest.trim_start_matches(|c: char| c.is_ascii_lowercase()),
            '/' => rest.strip_prefix('/').unwrap_or_default(),
            _ => return Err(Broken::Grammar),
        };
        let part = rest.strip_suffix(after).unwrap_or_default();
        found.push(match first {
            '0'..='9' => Token::Number(part),
            'a'..='z' => Token::Word(part),
            _ => Token::Stroke,
        });
        rest = after.trim_ascii_start();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn rate(count: u32, period: Duration, burst: u32) -> Rule {
        Rule::Rate { count, period, burst }
    }

    fn window(count: u32, period: Duration) -> Rule {
        Rule::Window { count, period }
    }

    #[test]
    fn single_rules() {
        for (text, rule) in [
            ("40/min", rate(40, MINUTE, 1)),
            ("500/min burst 20", rate(500, MINUTE, 20)),
            ("5/min burst 50", rate(5, MINUTE, 50)),
            ("1/ms", rate(1, Duration::from_millis(1), 1)),
            ("1/s", rate(1, Duration::from_secs(1), 1)),
            ("1/h", rate(1, Duration::from_secs(3600), 1)),
            ("1/day", rate(1, Duration::from_secs(86_400), 1)),
            ("40/4s", rate(40, Duration::from_secs(4), 1)),
            ("40/4s burst 3", rate(40, Duration::from_secs(4), 3)),
            ("40/1000ms", rate(40, Duration::from_secs(1), 1)),
            ("4294967295/s burst 4294967295", rate(u32::MAX, Duration::from_secs(1), u32::MAX)),
            ("40 per 4s", window(40, Duration::from_secs(4))),
            ("1000 per day", window(1000, Duration::from_secs(86_400))),
            ("40 per min", window(40, MINUTE)),
            ("40 per 90 s", window(40, Duration::from_secs(90))),
            ("5 at once", Rule::Concurrency(5)),
            ("1 at once", Rule::Concurrency(1)),
            // Case, blanks and leading zeros.
            ("  40 / MIN  ", rate(40, MINUTE, 1)),
            ("500/Min Burst\t20", rate(500, MINUTE, 20)),
            ("500/min burst20", rate(500, MINUTE, 20)),
            ("40PER4S", window(40, Duration::from_secs(4))),
            ("5\nAt  Once", Rule::Concurrency(5)),
            ("007 at once", Rule::Concurrency(7)),
        ] {
            assert_eq!(Limit::parse(text), Ok(Limit { rules: vec![rule] }), "{text:?}");
        }
    }

    #[test]
    fn rules_are_shown_in_their_shortest_form() {
        for (text, shown) in [
            ("40/60s", "40/min"),
            ("40 per 4000ms", "40 per 4s"),
            ("500/min BURST 20", "500/min burst 20"),
            ("1/24h", "1/day"),
            ("3/90s", "3/90s"),
            ("3/1500ms", "3/1500ms"),
            ("5 at once", "5 at once"),
        ] {
            assert_eq!(Limit::parse(text).unwrap().rules[0].to_string(), shown);
        }
    }

    #[test]
    fn combined_rules_keep_their_order() {
        assert_eq!(
            Limit::parse("500/min burst 20, 5 at once,40 per 4s , 10/s"),
            Ok(Limit {
                rules: vec![
                    rate(500, MINUTE, 20),
                    Rule::Concurrency(5),
                    window(40, Duration::from_secs(4)),
                    rate(10, Duration::from_secs(1), 1),
                ]
            })
        );
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            " ",
            ",",
            "fast",
            "40",
            "40/",
            "/min",
            "40/min,",
            ",40/min",
            "40/min,,5 at once",
            "40//min",
            "40/min 20",
            "40/min burst",
            "burst 20",
            "40/min burst 20 burst 30",
            "40 per 4s burst 3",
            "40 per",
            "per 4s",
            "40 per 4",
            "40/4",
            "40 min",
            "5 at",
            "5 once",
            "at once",
            "five at once",
            "5 at once burst 2",
            "40/m",
            "40/sec",
            "40/minute",
            "40/month",
            "40/us",
            "40/minburst 20",
            "5 atonce",
            "-40/min",
            "+40/min",
            "4.5/min",
            "40/1.5s",
            "4e3/min",
            "0x10/min",
            "1_000/min",
            "40/min; 5 at once",
            "40/min and 5 at once",
            "40/мин",
            "４０/min",
            "40/min\0",
        ] {
            assert_eq!(
                Limit::parse(text),
                Err(format!(
                    "must be a list of limits like \"40/min\", \"500/min burst 20\", \"40 per 4s\" or \"5 at once\", {} given",
                    given::text(text)
                )),
                "{text:?}"
            );
        }
    }

    #[test]
    fn numbers_outside_their_range_are_refused() {
        let zero = "must have only numbers greater than or equal to 1";
        let large = "must have only numbers less than or equal to 4294967295";
        let window = "must have at most 1000 in a window like \"40 per 4s\"";
        let long = "must have only periods shorter than 500 years";
        for (text, rule) in [
            ("0/min", zero),
            ("40/0s", zero),
            ("40/min burst 0", zero),
            ("0 per 4s", zero),
            ("40 per 0s", zero),
            ("0 at once", zero),
            ("00 at once", zero),
            ("40/min, 0 at once", zero),
            ("4294967296/min", large),
            ("40/min burst 99999999999999999999", large),
            ("40/4294967296s", large),
            ("4294967296 at once", large),
            ("1001 per 4s", window),
            ("4294967295 per 4s", window),
            ("1/4294967295day", long),
            ("1 per 182500day", long),
        ] {
            assert_eq!(Limit::parse(text), Err(format!("{rule}, \"{text}\" given")));
        }
        assert!(Limit::parse("1 per 182499day").is_ok());
        assert!(Limit::parse("1/4294967295s").is_ok());
    }

    #[test]
    fn costs() {
        for (cost, limit, rule) in [
            (1.0, None, None),
            (0.001, None, None),
            (1e300, None, None),
            (0.0, None, Some("must be greater than 0, 0 given")),
            (-1.0, None, Some("must be greater than 0, -1 given")),
            (f64::NAN, None, Some("must be finite, NAN given")),
            (f64::INFINITY, None, Some("must be finite, INF given")),
            (f64::NEG_INFINITY, None, Some("must be finite, -INF given")),
            (1.0, Some("40/min"), None),
            (1.5, Some("40/min"), Some("must be less than or equal to 1, the burst of the limit, 1.5 given")),
            (20.0, Some("500/min burst 20"), None),
            (
                21.0,
                Some("500/min burst 20"),
                Some("must be less than or equal to 20, the burst of the limit, 21 given"),
            ),
            (40.0, Some("40 per 4s"), None),
            (
                41.0,
                Some("40 per 4s"),
                Some("must be less than or equal to 40, the burst of the limit, 41 given"),
            ),
            (1e25, Some("5 at once"), None),
            // The smallest of several.
            (
                20.0,
                Some("500/min burst 20, 10 per s"),
                Some("must be less than or equal to 10, the burst of the limit, 20 given"),
            ),
            (10.0, Some("500/min burst 20, 10 per s, 5 at once"), None),
        ] {
            let limit = limit.map(|text| Limit::parse(text).unwrap());
            assert_eq!(check_cost(cost, limit.as_ref()).err().as_deref(), rule, "{cost} {limit:?}");
        }
    }
}
