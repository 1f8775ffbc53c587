//! Several seeds of a row, held against its target.

use crate::row::{Measured, Row, Target, Who};

/// Mean and maximum over the seeds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Over {
    pub mean: f64,
    pub max: f64,
}

impl Over {
    #[must_use]
    pub fn of(results: &[Measured], value: impl Fn(&Measured) -> f64) -> Self {
        let values = || results.iter().map(&value);
        Self {
            mean: values().sum::<f64>() / results.len() as f64,
            max: values().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The row asks nothing.
    Unasked,
    Ok,
    /// On average, but not every seed.
    OkOnAverage,
    Missed,
}

impl Verdict {
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unasked => "",
            Self::Ok => "ok",
            Self::OkOnAverage => "ok on average",
            Self::Missed => "MISSED",
        }
    }
}

/// Held against the target: nothing lost, none over five attempts, and what the row asks.
#[must_use]
pub fn judge(target: Target, results: &[Measured], jobs: f64) -> Verdict {
    let allowed = |result: &Measured| {
        let more = if target.of_accepted { result.run.all_accepted() as f64 / jobs } else { 1.0 };
        target.ratio.map_or(f64::INFINITY, |ratio| ratio * more)
    };
    let measures: [(Over, Option<f64>); 6] = [
        (Over::of(results, |result| result.ratio / allowed(result)), target.ratio.map(|_| 1.0)),
        (Over::of(results, |result| result.run.later_per_100_sends()), target.per_100),
        (Over::of(results, |result| result.run.later() as f64), target.later),
        (Over::of(results, |result| result.run.refused as f64), target.all),
        (Over::of(results, |result| -result.run.least_share()), target.share.map(|share| -share)),
        (
            Over::of(results, |result| {
                (result.run.lost + result.run.unfinished + result.run.over_five) as f64
            }),
            target.ratio.map(|_| 0.0),
        ),
    ];
    let worst = measures.iter().filter_map(|(over, most)| {
        let most = (*most)?;
        Some(if over.mean > most {
            Verdict::Missed
        } else if over.max > most {
            Verdict::OkOnAverage
        } else {
            Verdict::Ok
        })
    });
    worst.max().unwrap_or(Verdict::Unasked)
}

impl Row {
    /// So many seeds of the code that ships.
    #[must_use]
    pub fn verdict(&self, seeds: u64) -> Verdict {
        let results: Vec<Measured> = (0..seeds).filter_map(|seed| self.run(Who::Ours, seed, false)).collect();
        judge(self.target, &results, self.jobs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;

    fn judged(target: Target, runs: &[(f64, u64, u64)]) -> Verdict {
        let result = |&(ratio, refused, lost): &(f64, u64, u64)| {
            let run = Run { sends: 100, accepted: vec![100 - refused], refused, lost, ..Run::new(1, 1) };
            Measured { run, optimum: 10.0, ratio }
        };
        judge(target, &runs.iter().map(result).collect::<Vec<_>>(), 100.0)
    }

    #[test]
    fn seeds_against_a_target() {
        let target = Target { ratio: Some(1.05), per_100: Some(1.0), ..Target::default() };
        for (runs, verdict) in [
            (&[(1.05, 1, 0), (1.0, 0, 0)], Verdict::Ok),
            (&[(1.06, 1, 0), (1.0, 0, 0)], Verdict::OkOnAverage),
            (&[(1.05, 2, 0), (1.0, 0, 0)], Verdict::OkOnAverage),
            (&[(1.05, 2, 0), (1.0, 1, 0)], Verdict::Missed),
            (&[(1.2, 1, 0), (1.0, 0, 0)], Verdict::Missed),
            (&[(1.0, 0, 1), (1.0, 0, 0)], Verdict::Missed),
        ] {
            assert_eq!(judged(target, runs), verdict, "{runs:?}");
        }
        assert_eq!(judged(Target::default(), &[(9.0, 50, 7)]), Verdict::Unasked);
    }
}
