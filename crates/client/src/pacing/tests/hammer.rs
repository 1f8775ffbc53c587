//! Sixteen processes take all they can get under one limit: it is kept to the nanosecond, and next to nothing of it
//! is lost. `PACING_SECONDS=10` makes each run longer and the check of what is lost stricter.

use std::{fs::File, io::Write, time::Duration};

use policy::{
    limit::{Limit, Rule},
    pacing::Next,
};
use rand::RngExt;

use super::*;
use crate::{nap, random, world::World};

const PROCESSES: usize = 16;

/// How long each run is, and what part of the possible must be reached. A busy machine wakes its sleepers late.
fn measure() -> (Duration, f64) {
    match std::env::var("PACING_SECONDS").ok().and_then(|seconds| seconds.parse().ok()) {
        Some(seconds) => (Duration::from_secs(seconds), 0.98),
        None => (Duration::from_millis(1500), 0.7),
    }
}

/// Takes slots until `end`, and notes when, and how long it waited for each.
fn work(folder: &Folder, limit: &str, end: Timestamp) {
    let pacing = sharing(folder);
    let settings = settings(Some(limit));
    let mut log = File::options().append(true).open(folder.path().join("log")).unwrap();
    while now() < end {
        let mut turn = turn_under(&pacing, &settings);
        let begun = now();
        loop {
            let asked = now();
            match turn.next(0, asked) {
                Next::Send(_) => {
                    let noted = [asked.as_nanos(), asked.since(begun).as_nanos() as u64];
                    log.write_all(noted.map(u64::to_ne_bytes).as_flattened()).unwrap();
                    break;
                }
                Next::Wait { until } if until < end => {
                    assert!(turn.begin_waiting());
                    nap::sleep_until(World::converted(until, now(), clock::now()), || false);
                }
                Next::Wait { .. } => return,
                next => panic!("{next:?}"),
            }
        }
        turn.end_waiting(Duration::ZERO);
    }
}

/// The instants at which all processes together were let through, how long each waited, and until when they tried.
fn hammer(limit: &str, length: Duration, kills: bool) -> (Vec<u64>, Vec<Duration>, u64) {
    let folder = Folder::new();
    File::create_new(folder.path().join("log")).unwrap();
    let end = now().after(length);
    let start = || Child::start(|| work(&folder, limit, end));
    let mut children: Vec<_> = (0..PROCESSES).map(|_| start()).collect();
    while kills && now().after(Duration::from_millis(200)) < end {
        std::thread::sleep(Duration::from_millis(100));
        let one = random::with(|rng| rng.random_range(0..PROCESSES));
        children.swap_remove(one).kill();
        children.push(start());
    }
    children.into_iter().for_each(Child::wait);
    let log = std::fs::read(folder.path().join("log")).unwrap();
    let number = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap());
    let noted =
        log.chunks_exact(16).map(|pair| (number(&pair[..8]), Duration::from_nanos(number(&pair[8..]))));
    let (mut times, mut waits): (Vec<u64>, Vec<Duration>) = noted.unzip();
    times.sort_unstable();
    waits.sort_unstable();
    (times, waits, end.as_nanos())
}

/// In any stretch of time t at most burst + rate * t.
///
/// # Errors
/// Which was too much.
fn check_rate(times: &[u64], count: u32, period: Duration, burst: u32) -> Result<(), String> {
    // j - i + 1 <= burst + (t_j - t_i) / interval, for all i <= j at once.
    let (count, period) = (i128::from(count), period.as_nanos() as i128);
    let owed = |(i, at): (usize, &u64)| i as i128 * period - i128::from(*at) * count;
    let mut least = i128::MAX;
    for entry in times.iter().enumerate() {
        least = least.min(owed(entry));
        if owed(entry) - least + period > i128::from(burst) * period {
            return Err(format!("number {} at {} is too much", entry.0, entry.1));
        }
    }
    Ok(())
}

/// In any stretch of one period at most so many.
///
/// # Errors
/// Which were too many.
fn check_window(times: &[u64], count: u32, period: Duration) -> Result<(), String> {
    let mut ends = times.iter().zip(times.iter().skip(count as usize));
    let found = ends.find(|(first, after)| Duration::from_nanos(**after - **first) < period);
    found.map_or(Ok(()), |(first, after)| Err(format!("more than {count} from {first} to {after}")))
}

/// How many the rule lets through from the first to the end, with what it keeps in hand for the way to the server.
fn possible(rule: &Rule, seconds: f64) -> f64 {
    match *rule {
        Rule::Rate { count, period, burst } => {
            let interval = period.as_secs_f64() / f64::from(count);
            let kept = if burst == 1 { (interval / 10.0).min(0.002) } else { 0.0 };
            f64::from(burst) + seconds / (interval + kept)
        }
        Rule::Window { count, period } => {
            let period = period.as_secs_f64();
            f64::from(count) * (1.0 + (seconds / (period + (period / 200.0).clamp(0.002, 0.05))).floor())
        }
        Rule::Concurrency(_) => panic!(),
    }
}

fn is_kept(limit: &str, kills: bool) {
    let (length, part) = measure();
    let (times, waits, end) = hammer(limit, length, kills);
    let rule = Limit::parse(limit).unwrap().rules.remove(0);
    match rule {
        Rule::Rate { count, period, burst } => check_rate(&times, count, period, burst).unwrap(),
        Rule::Window { count, period } => check_window(&times, count, period).unwrap(),
        Rule::Concurrency(_) => panic!(),
    }
    let possible = possible(&rule, Duration::from_nanos(end - times[0]).as_secs_f64());
    let reached = times.len() as f64 / possible;
    let kills = if kills { ", kills" } else { "" };
    let [median, longest] = [waits[waits.len() / 2], waits[waits.len() - 1]];
    let count = times.len();
    println!(
        "{limit}{kills}: {count} of {possible:.0}, {reached:.3}; waits {median:.1?}, at most {longest:.1?}"
    );
    assert!(reached >= part, "{limit}: {} of {possible}", times.len());
}

#[test]
fn a_rate_with_a_burst() {
    is_kept("400/s burst 20", false);
}

#[test]
fn a_rate_without() {
    is_kept("50/s", false);
}

#[test]
fn a_window() {
    is_kept("100 per 500ms", false);
}

#[test]
fn a_rate_with_a_burst_while_one_after_the_other_is_killed() {
    is_kept("400/s burst 20", true);
}

#[test]
fn a_rate_without_while_one_after_the_other_is_killed() {
    is_kept("50/s", true);
}

#[test]
fn a_window_while_one_after_the_other_is_killed() {
    is_kept("100 per 500ms", true);
}

#[test]
fn the_checks_see_what_is_too_much() {
    const MS: u64 = 1_000_000;
    let second = Duration::from_secs(1);
    check_rate(&[0, 0, 100 * MS, 200 * MS], 10, second, 2).unwrap();
    check_rate(&[0, 0, 0], 10, second, 2).unwrap_err();
    check_rate(&[0, 500 * MS, 500 * MS, 599 * MS], 10, second, 2).unwrap_err();
    check_window(&[0, 0, 1000 * MS], 2, second).unwrap();
    check_window(&[0, 0, 999 * MS], 2, second).unwrap_err();
}
