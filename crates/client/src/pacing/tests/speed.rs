//! What it costs: `cargo test --release -p client pacing::tests::speed -- --ignored --nocapture --test-threads 1`.

use std::{
    hint::black_box,
    time::{Duration, SystemTime},
};

use policy::Outcome;

use super::*;

/// The best of many short runs: what others do to the machine is left out.
fn each(what: &str, mut work: impl FnMut()) {
    const TIMES: u32 = 500;
    let mut best = Duration::MAX;
    let end = clock::now().after(Duration::from_millis(400));
    while clock::now() < end {
        let begun = clock::now();
        (0..TIMES).for_each(|_| work());
        best = best.min(clock::now().since(begun) / TIMES);
    }
    println!("{what}: {best:?}");
}

/// The median, each measured by itself; what reading the clock takes is taken off.
fn median(times: usize, mut work: impl FnMut()) -> Duration {
    let all = |work: &mut dyn FnMut()| {
        let mut took: Vec<Duration> = (0..times)
            .map(|_| {
                let begun = clock::now();
                work();
                clock::now().since(begun)
            })
            .collect();
        took.sort_unstable();
        took[times / 2]
    };
    let clock = all(&mut || {});
    all(&mut work).saturating_sub(clock)
}

/// A request and its answer, over and over.
fn turns(pacing: &Pacing, limit: Option<&str>, status: u16, lines: &[(&str, &str)]) -> impl FnMut() + use<> {
    let line = |(name, value): &(&str, &str)| {
        (name.parse::<http::HeaderName>().unwrap(), value.parse::<http::HeaderValue>().unwrap())
    };
    let headers = HeaderMap::from_iter(lines.iter().map(line));
    let mut turn = turn_under(pacing, &settings(limit));
    move || {
        let now = now();
        black_box(turn.next(0, now));
        let arrived_wall = SystemTime::UNIX_EPOCH;
        turn.observe(
            &Outcome::Answer { status, headers: &headers, body: b"", arrived: now, arrived_wall },
            now,
        );
    }
}

const COMMON: [(&str, &str); 6] = [
    ("date", "Thu, 01 Jan 1970 00:00:00 GMT"),
    ("content-type", "application/json"),
    ("content-length", "1234"),
    ("connection", "keep-alive"),
    ("server", "nginx"),
    ("vary", "Accept-Encoding"),
];

#[test]
#[ignore = "measures"]
fn how_long_a_turn_takes() {
    let folder = Folder::new();
    Child::start(|| {
        let pacing = sharing(&folder);
        let limits = Limits::default();
        let none = settings(None);
        let large =
            format!(r#"{{"model":"m","messages":[{{"role":"user","content":"{}"}}]}}"#, "x".repeat(100_000));
        for (what, body) in [
            ("no body", ""),
            (
                "a small one",
                r#"{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}],"max_tokens":100}"#,
            ),
            ("100 KB", &large),
        ] {
            let request = request(body);
            each(&format!("Turn::new, {what}"), || {
                drop(black_box(Turn::new(pacing.clone(), &request, &none, &limits, None)));
            });
        }
        each("the clock", || _ = black_box(now()));
        let fast = Some("1000000000/s burst 1000000000");
        each("next and observe, nothing known", turns(&pacing, None, 200, &COMMON));
        each("the same, no headers", turns(&pacing, None, 200, &[]));
        each("under a rate", turns(&pacing, fast, 200, &COMMON));
        each("under a window of 1000", turns(&pacing, Some("1000 per 1ms"), 200, &COMMON));
        let told: Vec<_> = COMMON
            .into_iter()
            .chain([
                ("x-ratelimit-limit-requests", "1000000000"),
                ("x-ratelimit-remaining-requests", "999999999"),
                ("x-ratelimit-reset-requests", "1ms"),
            ])
            .collect();
        each("with quota headers", turns(&pacing, Some("1000000000/s burst 1000000000"), 200, &told));
        each("5 at once", turns(&pacing, Some("5 at once"), 200, &COMMON));
    })
    .wait();
}

#[test]
#[ignore = "measures"]
fn with_sixteen_processes_at_one_key() {
    for limit in [None, Some("1000000000/s burst 1000000000")] {
        let folder = Folder::new();
        let others: Vec<_> = (0..15)
            .map(|_| {
                Child::start(|| {
                    let mut one = turns(&sharing(&folder), limit, 200, &COMMON);
                    while !black_box(false) {
                        one();
                    }
                })
            })
            .collect();
        Child::start(|| {
            let pacing = sharing(&folder);
            println!("{limit:?}: median {:?}", median(300_000, turns(&pacing, limit, 200, &COMMON)));
        })
        .wait();
        others.into_iter().for_each(Child::kill);
    }
}

#[test]
#[ignore = "for a profiler"]
fn turns_for_two_seconds() {
    let folder = Folder::new();
    Child::start(|| {
        let mut one = turns(&sharing(&folder), None, 200, &COMMON);
        let end = clock::now().after(Duration::from_secs(2));
        while clock::now() < end {
            (0..1000).for_each(|_| one());
        }
    })
    .wait();
}
