//! The table: each row over several seeds against its target.

use crate::{
    row::{Measured, Row, Who},
    verdict::{Over, Verdict, judge},
};

pub fn print_head() {
    for [name, optimum, ratio, most, all, first, later, allowed, five, lost, tries] in [
        [
            "",
            "optimum",
            "makespan / optimum",
            "",
            "429s",
            "first",
            "after it, per 100",
            "",
            "over 5",
            "jobs",
            "most",
        ],
        [
            "",
            "seconds",
            "mean (max)",
            "asked",
            "in all",
            "contact",
            "sends: mean (max)",
            "asked",
            "tries",
            "lost",
            "tries",
        ],
    ] {
        println!(
            "{name:<44} {optimum:>7}  {ratio:<18} {most:<7} {all:>7} {first:>7}  {later:<17} {allowed:<10} {five:>6} \
             {lost:>6} {tries:>5}"
        );
    }
}

/// Runs the row and prints a line for ours and one for each rival.
pub fn print(row: &Row, seeds: u64, rivals: bool) -> Verdict {
    let mut verdict = Verdict::Unasked;
    let all: Vec<Who> = [Who::Ours].into_iter().chain(Who::RIVALS.into_iter().filter(|_| rivals)).collect();
    for who in all {
        let results: Vec<Measured> = (0..seeds).filter_map(|seed| row.run(who, seed, false)).collect();
        if results.is_empty() {
            continue;
        }
        let judged =
            if who == Who::Ours { judge(row.target, &results, row.jobs()) } else { Verdict::Unasked };
        verdict = verdict.max(judged);
        line(row, who, &results, judged);
    }
    verdict
}

fn line(row: &Row, who: Who, results: &[Measured], verdict: Verdict) {
    let ours = who == Who::Ours;
    let name = if ours { row.name.clone() } else { format!("    {}", who.name()) };
    let ratio = Over::of(results, |result| result.ratio);
    let per_100 = Over::of(results, |result| result.run.later_per_100_sends());
    let mean = |value: &dyn Fn(&Measured) -> u64| Over::of(results, |result| value(result) as f64).mean;
    let target = |value: Option<f64>, before: &str, places: usize| match value {
        Some(value) if ours => format!("{before}{value:.places$}"),
        _ => String::new(),
    };
    let optimum =
        if ours { format!("{:7.1}", Over::of(results, |result| result.optimum).mean) } else { String::new() };
    let counts = row.target.all.map(|all| format!("≤{all} in all"));
    let counts = counts.or_else(|| row.target.later.map(|later| format!("≤{later}")));
    let counts =
        if ours { counts.unwrap_or_else(|| target(row.target.per_100, "≤", 1)) } else { String::new() };
    println!(
        "{name:<44} {optimum:>7}  {:<18} {:<7} {:>7.1} {:>7.1}  {:<17} {counts:<10} {:>6.1} {:>6.1} {:>5}  {}{}",
        format!("{:.3} ({:.3})", ratio.mean, ratio.max),
        target(row.target.ratio, "≤", 3),
        mean(&|result| result.run.refused),
        mean(&|result| result.run.first_contact),
        format!("{:.2} ({:.2})", per_100.mean, per_100.max),
        mean(&|result| result.run.over_five),
        mean(&|result| result.run.lost + result.run.unfinished),
        Over::of(results, |result| f64::from(result.run.max_attempts)).max,
        verdict.text(),
        notes(row, results),
    );
}

/// What only some rows have.
fn notes(row: &Row, results: &[Measured]) -> String {
    let mut notes = String::new();
    if row.machines > 1 {
        let share = results.iter().map(|result| result.run.least_share()).fold(f64::INFINITY, f64::min);
        let asked = row.target.share.unwrap_or(0.0);
        notes += &format!("  least share {share:.2} of fair (asked: {asked})");
    }
    if row.target.of_accepted {
        let accepted = Over::of(results, |result| result.run.all_accepted() as f64 / row.jobs());
        notes += &format!("  accepted {:.3} of jobs", accepted.mean);
    }
    let mut pages: Vec<f64> = results.iter().flat_map(|result| &result.run.pages).copied().collect();
    pages.sort_by(f64::total_cmp);
    if let (Some(median), Some(last)) = (pages.get(pages.len() / 2), pages.last()) {
        notes += &format!("  a page takes {median:.3} s (max {last:.3})");
    }
    notes
}
