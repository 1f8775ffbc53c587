//! What servers say in quota headers, and what the caller says.

use super::{asks, bucket, learned, window};
use crate::{
    limits::{Begin, Bucket, Limit, Log, Window},
    quota::Family,
    row::{Best, Row, Target},
    server::Says,
};

pub fn rows() -> Vec<Row> {
    [headers(), changes(), limits()].concat()
}

/// At most 1 % and one latency over the optimum, and so many refusals.
fn tight(row: &Row, later: f64) -> Target {
    let ratio = Some(1.01 + row.latency / row.optimum());
    Target { ratio, later: Some(later), ..Target::default() }
}

fn told(row: Row, family: Family, name: &str, later: f64) -> Row {
    let target = tight(&row, later);
    let (_, rest) = row.name.split_once('/').unwrap_or_default();
    Row { name: format!("{name}/{rest}"), quota: Some(family), target, ..row }
}

fn headers() -> Vec<Row> {
    const GROUP: &str = "quota headers";
    let mut rows = Vec::new();
    for (rate, burst, workers, latency, jobs) in [
        (20.0, 20.0, 10, 0.02, 800.0),
        (20.0, 20.0, 16, 0.5, 800.0),
        (50.0, 50.0, 16, 0.02, 2000.0),
        (50.0, 5.0, 16, 0.25, 2000.0),
        (500.0 / 60.0, 50.0, 24, 2.0, 1000.0),
    ] {
        let row = bucket(GROUP, (rate, burst), Says::Nothing, workers, latency).with_jobs(jobs);
        rows.push(told(row, Family::OpenAi, "openai", 0.0));
    }
    // A bucket of a minute, as Anthropic's are: its reset in whole seconds only tells that it is of a minute.
    let row = bucket(GROUP, (5.0, 300.0), Says::Seconds, 16, 2.0).with_jobs(900.0);
    rows.push(told(row, Family::Anthropic, "anthropic", 0.0));
    let row = learned::token_row(Says::Nothing, 1.0, 1.0);
    let row = Row { group: GROUP, ..row };
    rows.push(told(row, Family::OpenAiTokens, "openai", 0.0));
    // The clock's boundaries are whole seconds of its own; the simulation begins 0.37 s after one.
    for (count, period, phase) in [(40.0, 4.0, 1.63), (100.0, 10.0, 3.63)] {
        for (family, name) in [(Family::Draft, "draft"), (Family::Epoch, "epoch")] {
            for (workers, latency) in [(10, 0.02), (16, 0.5)] {
                let row = window(GROUP, (count, period), Begin::At(phase), Says::Nothing, workers, latency);
                rows.push(told(row, family, name, 0.0));
            }
        }
    }
    rows
}

/// The announced limit changes twice.
fn changes() -> Vec<Row> {
    const GROUP: &str = "quota headers, two changes of the limit";
    let steps = vec![(0.0, 50.0), (20.0, 25.0), (60.0, 50.0)];
    let row = Row {
        limits: vec![Limit::Bucket(Bucket::stepping(steps.clone(), 50.0))],
        best: vec![Best::Bucket { steps, burst: 50.0 }],
        knows: None,
        ..bucket(GROUP, (50.0, 50.0), Says::Nothing, 16, 0.1).with_jobs(4000.0)
    };
    let bucket = told(row, Family::OpenAi, "openai-steps", 2.0);
    let steps = vec![(0.0, 100.0), (23.63, 50.0), (53.63, 100.0)];
    let row = Row {
        limits: vec![Limit::Window(Window::stepping(steps.clone(), 10.0, Begin::At(3.63)))],
        best: vec![Best::Window { steps, period: 10.0, first_end: 3.63 }],
        knows: None,
        ..window(GROUP, (100.0, 10.0), Begin::At(3.63), Says::Nothing, 10, 0.02)
    };
    let window = told(row.with_jobs(850.0), Family::Draft, "draft-steps", 2.0);
    vec![bucket, window]
}

/// The caller's own `limit`.
fn limits() -> Vec<Row> {
    const GROUP: &str = "the caller's limit";
    let target = Target { all: Some(0.0), ..asks(1.015, 0.0) };
    let given = |row: Row, limit: &'static str, what: &str| {
        let (_, rest) = row.name.split_once('/').unwrap_or_default();
        Row { name: format!("limit/{what}{rest}"), given: Some(limit), target, ..row }
    };
    let mut rows = Vec::new();
    for (rate, burst, limit, workers, latency) in [
        (20.0, 5.0, "20/s burst 5", 10, 0.02),
        (20.0, 5.0, "20/s burst 5", 16, 0.5),
        (50.0, 50.0, "50/s burst 50", 16, 0.02),
        (50.0, 5.0, "50/s burst 5", 64, 1.0),
    ] {
        rows.push(given(bucket(GROUP, (rate, burst), Says::Nothing, workers, latency), limit, ""));
    }
    let minutes = bucket(GROUP, (500.0 / 60.0, 20.0), Says::Nothing, 24, 2.0).with_jobs(1000.0);
    rows.push(given(minutes, "500/min burst 20", ""));
    for (count, period, limit) in [(40.0, 4.0, "40 per 4s"), (100.0, 10.0, "100 per 10s")] {
        for (workers, latency) in [(10, 0.02), (16, 0.5)] {
            let best = vec![Best::Log { count, period }];
            let row =
                window(GROUP, (count, period), Begin::At(0.3 * period), Says::Nothing, workers, latency);
            let row = Row { best: best.clone(), ..row };
            let log = vec![Limit::Log(Log::new(count as usize, period))];
            rows.push(given(row.clone(), limit, "window/"));
            rows.push(given(Row { limits: log, knows: None, ..row }, limit, "log/"));
        }
    }
    rows
}
