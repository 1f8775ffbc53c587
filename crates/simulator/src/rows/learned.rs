//! What is learned from refusals alone, and from Retry-After.

use super::{asks, bucket, hands, window};
use crate::{
    limits::{Begin, Bucket, Limit},
    row::{Best, Costs, Queue, Row, Target},
    server::Says,
};

/// How long an API of the larger kind takes to refuse.
const SLOW_REFUSAL: f64 = 0.15;

pub fn rows() -> Vec<Row> {
    [bare(), whole_seconds(), windows(), slow(), tokens(), steps()].concat()
}

fn bare() -> Vec<Row> {
    let mut rows = Vec::new();
    for (bursts, group, target) in [
        (&[5.0, 50.0] as &[_], "bare 429, token bucket", asks(1.05, 1.0)),
        (&[1.0], "bare 429, B 1", asks(1.15, 3.0)),
    ] {
        for (rate, burst) in
            [20.0, 50.0].iter().flat_map(|rate| bursts.iter().map(move |burst| (*rate, *burst)))
        {
            for (workers, latency) in hands(rate) {
                rows.push(bucket(group, (rate, burst), Says::Nothing, workers, latency).asking(target));
            }
        }
    }
    rows
}

fn whole_seconds() -> Vec<Row> {
    let mut rows = Vec::new();
    for (rate, burst) in [(20.0, 20.0), (20.0, 50.0), (50.0, 50.0)] {
        for (workers, latency) in hands(rate) {
            let group = "Retry-After in whole seconds, B ≥ rate";
            rows.push(bucket(group, (rate, burst), Says::Seconds, workers, latency).asking(asks(1.05, 1.0)));
        }
    }
    for (rate, burst) in [(20.0, 5.0), (50.0, 5.0)] {
        for (workers, latency) in hands(rate) {
            let group = "Retry-After in whole seconds, B < rate, 120 s";
            let target = Target { ratio: Some(1.10), ..Target::default() };
            let row = bucket(group, (rate, burst), Says::Seconds, workers, latency);
            rows.push(row.with_jobs(rate * 120.0).asking(target));
        }
    }
    for (rate, burst) in [(20.0, 5.0), (50.0, 50.0)] {
        let group = "Retry-After in milliseconds";
        rows.push(bucket(group, (rate, burst), Says::Millis, 16, 0.02).asking(asks(1.05, 1.0)));
    }
    rows
}

fn windows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (count, period, begin) in [
        (40.0, 4.0, Begin::At(1.2)),
        (40.0, 4.0, Begin::FirstRequest),
        (100.0, 10.0, Begin::At(3.0)),
        (100.0, 10.0, Begin::FirstRequest),
    ] {
        for says in [Says::Seconds, Says::Millis] {
            for (workers, latency) in [(10, 0.02), (16, 0.5)] {
                // W at the second window, and a probe at every other one.
                let later = Some(workers as f64 + 4.0);
                let target = Target { ratio: Some(1.05), later, ..Target::default() };
                let group = "Retry-After to the end of a fixed window";
                rows.push(window(group, (count, period), begin, says, workers, latency).asking(target));
            }
        }
    }
    rows
}

/// Rates that accounts of AI APIs have; an answer takes two seconds.
fn slow() -> Vec<Row> {
    let mut rows = Vec::new();
    for (per_minute, burst, jobs, workers, latency) in [
        (40.0, 40.0, 240.0, 16, 2.0),
        (60.0, 6.0, 300.0, 16, 2.0),
        (500.0, 50.0, 1000.0, 24, 2.0),
        (500.0, 8.0, 1000.0, 16, 1.0),
    ] {
        for says in [Says::Nothing, Says::Seconds] {
            let row = bucket("40/min to 500/min", (per_minute / 60.0, burst), says, workers, latency);
            let name = row.name.replace("/1/", "/60-min/");
            let row = row.with_jobs(jobs).asking(asks(1.05, 1.0));
            rows.push(Row { name, refusal_latency: SLOW_REFUSAL, ..row });
        }
    }
    rows
}

fn tokens() -> Vec<Row> {
    let cases = [(1.0, 1.0), (2.0, 1.0), (1.0, 2.0)];
    let both = |(cv, off)| [Says::Nothing, Says::Seconds].map(|says| token_row(says, cv, off));
    cases.into_iter().flat_map(both).collect()
}

/// 200,000 tokens a minute, a bucket of 60,000. `off` is by what factor the caller misjudges a cost at most.
pub fn token_row(says: Says, cv: f64, off: f64) -> Row {
    let group = "token costs of very different size, 200,000 a minute";
    let row = bucket(group, (200_000.0 / 60.0, 60_000.0), says, 16, 4.0).asking(asks(1.10, 5.0));
    let costs = Costs::Tokens { mean: 2900.0, cv, least: 300.0, most: 40_000.0, off };
    let estimate = if off > 1.0 { "/estimates-off" } else { "" };
    Row {
        name: format!("{}/tokens/cv{cv}{estimate}", super::kind(says)),
        queues: vec![Queue { jobs: 600, costs, workers: 16, pages: None }],
        refusal_latency: SLOW_REFUSAL,
        ..row
    }
}

fn steps() -> Vec<Row> {
    let steps = vec![(0.0, 50.0), (20.0, 25.0), (60.0, 50.0)];
    let row = |says| {
        let row = bucket("50, 25, 50/s, nothing said", (50.0, 50.0), says, 16, 0.1).with_jobs(4000.0);
        Row {
            name: format!("{}/steps/50-25-50/b50/w16/100ms", super::kind(says)),
            limits: vec![Limit::Bucket(Bucket::stepping(steps.clone(), 50.0))],
            best: vec![Best::Bucket { steps: steps.clone(), burst: 50.0 }],
            knows: None,
            ..row.asking(asks(1.07, 1.0))
        }
    };
    [Says::Nothing, Says::Seconds].map(row).into()
}
