//! The targets that are reached stay reached.

use simulator::{rows, verdict::Verdict};

/// Enough for a mean, and few enough for a build without optimizations.
const SEEDS: u64 = 2;

/// Parts of the names of rows that miss their target, if only with some seeds.
const MISSED: [&str; 10] = [
    // The rate is found with four or five refusals, and these rows have work for two or three.
    "/40-min/",
    "/60-min/",
    "/models/",
    // A machine learns from its own refusals alone: some of four are refused more often than 3 %, and where each
    // refusal costs a second two of them lose more than 10 %.
    "machines4",
    "seconds/20/b5/w16/200ms/machines2",
    // 0.3 % more than the header's whole seconds leave.
    "draft/40-per-4s/w10/20ms",
    // Within the target on average, but not with each seed.
    "tokens/cv2",
    "/500-min/b8/",
    "seconds/500-min/b50/",
    "bare/20/b5/w16/500ms/killed",
];

/// Two halves, one for each thread of the test.
fn hold(half: usize) {
    let asked = rows::all().into_iter().filter(|row| !MISSED.iter().any(|part| row.name.contains(part)));
    for row in asked.skip(half).step_by(2) {
        let verdict = row.verdict(SEEDS);
        println!("{}: {}", row.name, verdict.text());
        assert!(verdict <= Verdict::OkOnAverage, "{}: {}", row.name, verdict.text());
    }
}

#[test]
fn what_is_reached_stays_reached() {
    hold(0);
}

#[test]
fn and_the_other_half_of_it() {
    hold(1);
}
