//! Any text as the caller's `limit`, after eight bytes that are a cost.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use policy::{
    given,
    limit::{Limit, Rule, check_cost},
};

const LONGEST: Duration = Duration::from_secs(500 * 365 * 86_400);
const MAX_WINDOW_COUNT: u32 = 1000;
/// A message repeats 60 characters of the text at most.
const LONGEST_MESSAGE: usize = 250;

fuzz_target!(|data: &[u8]| {
    let Some((cost, text)) = data.split_first_chunk() else { return };
    let cost = f64::from_bits(u64::from_le_bytes(*cost));
    shown(cost);
    let Ok(text) = std::str::from_utf8(text) else { return };
    match Limit::parse(text) {
        Ok(limit) => parsed(&limit, cost),
        Err(message) => {
            assert!(message.starts_with("must ") && message.ends_with(" given"), "{message}");
            assert!(message.chars().count() <= LONGEST_MESSAGE, "{message}");
            assert!(!message.contains(char::is_control), "{message:?}");
        }
    }
});

fn shown(cost: f64) {
    let text = given::float(cost);
    if cost.is_finite() {
        assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(cost.to_bits()), "{text}");
    }
}

fn parsed(limit: &Limit, cost: f64) {
    assert!(!limit.rules.is_empty());
    for rule in &limit.rules {
        let again = Limit::parse(&rule.to_string());
        assert_eq!(again.as_ref().map(|limit| &*limit.rules), Ok(std::slice::from_ref(rule)), "{rule}");
        match *rule {
            Rule::Rate { count, period, burst } => {
                assert!(count > 0 && burst > 0 && !period.is_zero() && period < LONGEST, "{rule:?}");
            }
            Rule::Window { count, period } => {
                assert!((1..=MAX_WINDOW_COUNT).contains(&count), "{rule:?}");
                assert!(!period.is_zero() && period < LONGEST, "{rule:?}");
            }
            Rule::Concurrency(count) => assert!(count > 0),
        }
    }
    let rules: Vec<String> = limit.rules.iter().map(Rule::to_string).collect();
    assert_eq!(Limit::parse(&rules.join(",")).as_ref(), Ok(limit));

    let most = limit.max_cost().map_or(f64::INFINITY, f64::from);
    assert_eq!(check_cost(cost, Some(limit)).is_ok(), cost.is_finite() && cost > 0.0 && cost <= most);
}
