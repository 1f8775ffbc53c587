//! Reads the rule of a limiter from a query.

use std::time::Duration;

use crate::limiter::{Align, Change, Counts, Kind, Limit, Rule};
use crate::query::Query;

/// The rule. Its first limit counts costs, which are one each if nothing is said about them.
pub fn rule(query: &Query) -> Result<Rule, String> {
    let kind = kind(query.get("kind").unwrap_or("window"))?;
    let limit = query.number("limit")?.unwrap_or(10);
    let window = Duration::from_millis(query.number("window_ms")?.unwrap_or(1000));
    let mut first = Limit::new(kind, limit, window, query.number("burst")?);
    first.align = align(query)?;
    first.counts = Counts::Costs;
    let also = query.all("and").map(|text| other(text).ok_or_else(|| wrong("and", text)));
    let changes = query.get("steps").map_or(Ok(Vec::new()), changes)?;
    Ok(Rule { first, also: also.collect::<Result<_, _>>()?, changes })
}

fn kind(name: &str) -> Result<Kind, String> {
    Kind::named(name).ok_or_else(|| format!("kind={name} is none of window, bucket, sliding, concurrency"))
}

fn align(query: &Query) -> Result<Align, String> {
    let phase = query.number("phase_ms")?.map(Duration::from_millis);
    match (query.get("aligned"), phase) {
        (Some("0"), _) | (None, None) => Ok(Align::Request),
        (Some("1") | None, Some(phase)) => Ok(Align::Phase(phase)),
        (Some("1"), None) => Ok(Align::Monotonic),
        (Some("unix"), None) => Ok(Align::Unix),
        (Some(other), _) => Err(wrong("aligned", other)),
    }
}

/// `[tokens:]<kind>:<limit>:<window_ms>[:<burst>]`; `concurrency:<limit>` needs no more.
fn other(text: &str) -> Option<Limit> {
    let (counts, rest) = match text.strip_prefix("tokens:") {
        Some(rest) => (Counts::Costs, rest),
        None => (Counts::Requests, text),
    };
    let mut parts = rest.split(':');
    let kind = Kind::named(parts.next()?)?;
    let numbers = parts.map(|part| part.parse().ok()).collect::<Option<Vec<u64>>>()?;
    let (limit, window, burst) = match *numbers.as_slice() {
        [limit] if kind == Kind::Concurrency => (limit, 1, None),
        [limit, window] => (limit, window, None),
        [limit, window, burst] if kind == Kind::Bucket => (limit, window, Some(burst)),
        _ => return None,
    };
    let mut limit = Limit::new(kind, limit, Duration::from_millis(window), burst);
    limit.counts = counts;
    Some(limit)
}

/// `<after_ms>:<limit>,…`
fn changes(text: &str) -> Result<Vec<Change>, String> {
    let one = |part: &str| {
        let (after, limit) = part.split_once(':')?;
        let after = Duration::from_millis(after.parse().ok()?);
        Some(Change { after, limit: limit.parse().ok()? })
    };
    let all: Vec<Change> =
        text.split(',').map(one).collect::<Option<_>>().ok_or_else(|| wrong("steps", text))?;
    if all.is_sorted_by_key(|change| change.after) { Ok(all) } else { Err(wrong("steps", text)) }
}

fn wrong(name: &str, value: &str) -> String {
    format!("{name}={value} is not as it must be")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Rule, String> {
        rule(&Query::parse(text))
    }

    #[test]
    fn reads_a_whole_rule() {
        let text = "kind=bucket&limit=50&burst=5&steps=20000:25,60000:50&and=window:100:60000\
                    &and=tokens:bucket:9:1000:3&and=concurrency:4";
        let rule = parse(text).unwrap();
        assert_eq!((rule.first.kind, rule.first.limit, rule.first.burst), (Kind::Bucket, 50, 5));
        assert_eq!(rule.first.counts, Counts::Costs);
        assert_eq!(rule.changes[1], Change { after: Duration::from_secs(60), limit: 50 });
        assert_eq!(rule.also[0], Limit::new(Kind::Window, 100, Duration::from_secs(60), None));
        assert_eq!((rule.also[1].counts, rule.also[1].burst), (Counts::Costs, 3));
        assert_eq!((rule.also[2].kind, rule.also[2].limit), (Kind::Concurrency, 4));
    }

    #[test]
    fn reads_where_windows_begin() {
        let align = |text: &str| parse(text).map(|rule| rule.first.align);
        assert_eq!(align(""), Ok(Align::Request));
        assert_eq!(align("aligned=1"), Ok(Align::Monotonic));
        assert_eq!(align("aligned=unix"), Ok(Align::Unix));
        assert_eq!(align("aligned=1&phase_ms=70"), Ok(Align::Phase(Duration::from_millis(70))));
    }

    #[test]
    fn says_what_is_wrong() {
        for text in [
            "kind=leaky",
            "aligned=unix&phase_ms=1",
            "aligned=yes",
            "steps=20000",
            "steps=2:1,1:2",
            "and=window:5",
            "and=window:5:1000:5",
            "and=:5:1000",
        ] {
            let name = text.rsplit('&').next_back().unwrap().split('=').next().unwrap();
            assert!(parse(text).unwrap_err().starts_with(name), "{text}");
        }
    }
}
