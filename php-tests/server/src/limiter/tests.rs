//! The limiter as a whole; what one kind counts is tested where it is counted.

use std::time::Duration;

use super::*;

const MS: u64 = 1_000_000;

fn limit(kind: Kind, limit: u64, window_ms: u64, burst: Option<u64>) -> Limit {
    Limit::new(kind, limit, Duration::from_millis(window_ms), burst)
}

fn limiter(rule: impl Into<Rule>) -> Limiter {
    Limiter::new(&rule.into(), 0, 0)
}

fn refused(verdict: &Verdict) -> Option<Duration> {
    (!verdict.allowed).then_some(verdict.retry_after)
}

fn standing(verdict: &Verdict) -> (u64, Duration) {
    (verdict.readings[0].remaining, verdict.readings[0].reset)
}

#[test]
fn a_window_lets_its_count_through_and_names_its_end() {
    let mut limiter = limiter(limit(Kind::Window, 2, 100, None));
    assert_eq!(standing(&limiter.take(10 * MS, 1)), (1, Duration::from_millis(100)));
    assert!(limiter.take(20 * MS, 1).allowed);
    assert_eq!(refused(&limiter.take(50 * MS, 1)), Some(Duration::from_millis(60)));
    assert!(!limiter.take(110 * MS - 1, 1).allowed);
    assert!(limiter.take(110 * MS, 1).allowed);
}

#[test]
fn a_bucket_starts_full_and_tells_when_it_is_full_again() {
    let mut limiter = limiter(limit(Kind::Bucket, 10, 1_000, Some(2)));
    assert_eq!(standing(&limiter.take(0, 1)), (1, Duration::from_millis(100)));
    assert_eq!(standing(&limiter.take(0, 1)), (0, Duration::from_millis(200)));
    assert_eq!(refused(&limiter.take(0, 1)), Some(Duration::from_millis(100)));
    assert!(!limiter.take(100 * MS - 1, 1).allowed);
    assert!(limiter.take(100 * MS, 1).allowed);
    assert_eq!(standing(&limiter.take(10_000 * MS, 1)).0, 1);
}

#[test]
fn a_sliding_log_holds_in_every_window() {
    let mut limiter = limiter(limit(Kind::Sliding, 3, 10, None));
    let accepted: Vec<u64> = (0..100).map(|ms| ms * MS).filter(|at| limiter.take(*at, 1).allowed).collect();
    assert!(accepted.windows(4).all(|w| w[3] - w[0] >= 10 * MS));
    assert_eq!(accepted.len(), 30);
}

#[test]
fn concurrency_counts_who_has_not_ended() {
    let mut limiter = limiter(limit(Kind::Concurrency, 2, 1_000, None));
    assert_eq!((limiter.take(0, 1).in_flight, limiter.take(0, 9).in_flight), (1, 2));
    let third = limiter.take(1, 1);
    assert_eq!((refused(&third), third.in_flight, standing(&third).0), (Some(Duration::ZERO), 2, 0));
    limiter.end(2, 0, 0);
    assert!(limiter.take(2, 1).allowed);
    assert_eq!(limiter.in_flight(), 2);
}

#[test]
fn a_changed_rate_keeps_the_level_and_refills_each_stretch_at_its_own() {
    let mut rule = Rule::from(limit(Kind::Bucket, 20, 1_000, Some(40)));
    rule.changes = [(1_000, 10), (2_000, 40)]
        .map(|(ms, limit)| Change { after: Duration::from_millis(ms), limit })
        .to_vec();
    let mut limiter = limiter(rule);
    assert_eq!(standing(&limiter.take(0, 1)), (39, Duration::from_millis(50)));
    for _ in 0..39 {
        assert!(limiter.take(0, 1).allowed);
    }
    // 20 until 1 s, 10 until 2 s, 4 until 2.1 s.
    let mut late = limiter.clone();
    assert_eq!(standing(&late.take(2_100 * MS, 1)), (33, Duration::from_millis(175)));
    assert_eq!(late.take(2_100 * MS, 1).readings[0].limit.limit, 40);
    let slow = limiter.take(1_500 * MS, 1);
    assert_eq!(slow.readings[0].limit.limit, 10);
    assert_eq!(standing(&slow), (24, Duration::from_millis(1_600)));
}

#[test]
fn a_change_holds_for_the_window_that_is_open() {
    let mut rule = Rule::from(limit(Kind::Window, 4, 100, None));
    rule.changes = vec![Change { after: Duration::from_millis(50), limit: 2 }];
    let mut limiter = limiter(rule);
    for _ in 0..3 {
        assert!(limiter.take(0, 1).allowed);
    }
    assert_eq!(refused(&limiter.take(50 * MS, 1)), Some(Duration::from_millis(50)));
    assert_eq!(standing(&limiter.take(100 * MS, 1)).0, 1);
}

#[test]
fn all_limits_must_pass_and_a_refusal_takes_from_none() {
    let mut tokens = limit(Kind::Bucket, 100, 1_000, None);
    tokens.counts = Counts::Costs;
    let mut rule = Rule::from(tokens);
    rule.also = vec![limit(Kind::Window, 2, 400, None)];
    let mut limiter = limiter(rule);
    let first = limiter.take(0, 70);
    assert_eq!(first.readings.iter().map(|r| r.remaining).collect::<Vec<_>>(), [30, 1]);
    assert_eq!(refused(&limiter.take(0, 40)), Some(Duration::from_millis(100)));
    assert!(limiter.take(0, 30).allowed);
    // Both refuse: the longer wait.
    assert_eq!(refused(&limiter.take(0, 10)), Some(Duration::from_millis(400)));
    assert_eq!(refused(&limiter.take(0, 90)), Some(Duration::from_millis(900)));
}

#[test]
fn an_end_gives_back_costs_but_no_requests() {
    let mut tokens = limit(Kind::Bucket, 100, 1_000, None);
    tokens.counts = Counts::Costs;
    let mut rule = Rule::from(tokens);
    rule.also = vec![limit(Kind::Sliding, 5, 1_000, None)];
    let mut limiter = limiter(rule);
    limiter.take(0, 80);
    limiter.end(0, 0, 50);
    let next = limiter.take(0, 1);
    assert_eq!(next.readings.iter().map(|r| r.remaining).collect::<Vec<_>>(), [69, 3]);
    assert_eq!(next.in_flight, 1);
}

#[test]
fn a_wait_of_retry_after_is_always_enough_and_no_less_is() {
    for kind in [Kind::Bucket, Kind::Window, Kind::Sliding] {
        for (count, window) in [(3, 1_000_000_007), (7, 10), (40, 4_000_000_000)] {
            let mut limiter =
                Limiter::new(&Limit::new(kind, count, Duration::from_nanos(window), None).into(), 5, 0);
            let mut now = 5;
            for _ in 0..200 {
                let verdict = limiter.take(now, 1);
                if !verdict.allowed {
                    now += u64::try_from(verdict.retry_after.as_nanos()).unwrap();
                    assert!(!limiter.take(now - 1, 1).allowed);
                    assert!(limiter.take(now, 1).allowed);
                }
            }
        }
    }
}

#[test]
fn time_that_goes_back_stands_still() {
    let mut limiter = limiter(limit(Kind::Sliding, 1, 10, None));
    assert!(limiter.take(20 * MS, 1).allowed);
    assert_eq!(refused(&limiter.take(5 * MS, 1)), Some(Duration::from_millis(10)));
}
