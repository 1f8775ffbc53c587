//! The numbers of a batch under way: how much is done, how fast, how long it will take. Time is passed in, and nothing
//! is drawn here.

mod display;
mod words;

use std::{collections::VecDeque, time::Duration};

use policy::Timestamp;

pub use display::Display;

/// The rate is that of so long before the last result, or of the whole batch while it is younger.
const WINDOW: Duration = Duration::from_secs(10);
/// Marks are no closer to each other, which bounds their number to what fits into [`WINDOW`].
const STEP: Duration = Duration::from_secs(1);
/// What a batch takes at least, lest the first result's rate be infinite.
const LEAST: Duration = Duration::from_millis(1);

#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub done: u64,
    pub total: Option<u64>,
    /// Results per second of late; 0.0 before the first.
    pub rate: f64,
    /// How often the answer was 429.
    pub limited: u64,
    /// All wait; none is sent before this.
    pub waiting_until: Option<Timestamp>,
    /// `None` without a total or a rate.
    pub eta: Option<Duration>,
}

#[derive(Debug)]
pub struct Meter {
    total: Option<u64>,
    done: u64,
    /// The first is where the rate is measured from. Never empty.
    marks: VecDeque<Mark>,
}

/// The batch's start, or a result.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: Timestamp,
    /// Including the result that this is.
    done: u64,
}

impl Meter {
    #[must_use]
    pub fn new(total: Option<u64>, now: Timestamp) -> Self {
        Self { total, done: 0, marks: VecDeque::from([Mark { at: now, done: 0 }]) }
    }

    /// One more result, be it a response or a failure.
    pub fn finished(&mut self, now: Timestamp) {
        self.done = self.done.saturating_add(1);
        if self.marks.back().is_some_and(|last| now.since(last.at) >= STEP) {
            self.marks.push_back(Mark { at: now, done: self.done });
        }
        // Only here: through a silence of whatever length there is a rate, which sinks.
        while self.marks.get(1).is_some_and(|next| now.since(next.at) >= WINDOW) {
            self.marks.pop_front();
        }
    }

    #[must_use]
    pub fn numbers(&self, now: Timestamp, limited: u64, waiting_until: Option<Timestamp>) -> Progress {
        let pace = self.pace(now, waiting_until.filter(|until| *until > now));
        Progress {
            done: self.done,
            total: self.total,
            rate: self.pace(now, None).map_or(0.0, |pace| pace.results as f64 / pace.span.as_secs_f64()),
            limited,
            waiting_until,
            eta: self.total.zip(pace).map(|(total, pace)| pace.time_for(total.saturating_sub(self.done))),
        }
    }

    /// None before the first result.
    ///
    /// Where all wait it is the pace as it will be when they go on: the announced wait counts as if it was over. A limit
    /// of 40 a minute is met in bursts, and between two of them neither the last ten seconds nor the time since the last
    /// burst tells its pace.
    fn pace(&self, now: Timestamp, waiting: Option<Timestamp>) -> Option<Pace> {
        let first = self.marks.front().filter(|_| self.done > 0)?;
        let results = self.done.saturating_sub(first.done);
        Some(match waiting {
            // Measured from just after the first mark's result.
            None => Pace { results, span: now.since(first.at).max(LEAST), wait: Duration::ZERO },
            // Its end is just before a result, so that its beginning is too.
            Some(until) => Pace {
                results: results.saturating_add(first.done.min(1)),
                span: until.since(first.at).max(LEAST),
                wait: until.since(now),
            },
        })
    }
}

/// So many results in such a time, once a wait is over.
#[derive(Debug)]
struct Pace {
    results: u64,
    span: Duration,
    wait: Duration,
}

impl Pace {
    fn time_for(&self, left: u64) -> Duration {
        if left == 0 {
            return Duration::ZERO;
        }
        // Spans are differences of timestamps: below 2^64 ns, so that the product is below 2^128.
        let nanos = self.span.as_nanos().saturating_mul(left.into()) / u128::from(self.results.max(1));
        self.wait.saturating_add(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What all tests begin at: an instant like any other.
    const START: Timestamp = Timestamp::from_nanos(77_000_000_000);

    fn at(seconds: f64) -> Timestamp {
        START.after(Duration::from_secs_f64(seconds))
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// `count` results, the first at `from`, `apart` milliseconds from each other.
    fn finish(meter: &mut Meter, count: u64, from: f64, apart: u64) {
        for nth in 0..count {
            meter.finished(at(from).after(Duration::from_millis(nth * apart)));
        }
    }

    #[test]
    fn before_the_first_result_there_is_no_rate() {
        let meter = Meter::new(Some(5), START);
        let waiting_until = Some(at(60.0));
        assert_eq!(
            meter.numbers(at(3.0), 2, waiting_until),
            Progress { done: 0, total: Some(5), rate: 0.0, limited: 2, waiting_until, eta: None }
        );
    }

    #[test]
    fn a_young_batch_is_measured_as_a_whole() {
        let mut meter = Meter::new(Some(25), START);
        finish(&mut meter, 10, 0.0, 200);
        assert_eq!(
            meter.numbers(at(2.0), 0, None),
            Progress {
                done: 10,
                total: Some(25),
                rate: 5.0,
                limited: 0,
                waiting_until: None,
                eta: Some(seconds(3))
            }
        );
        assert_eq!(meter.numbers(at(4.0), 0, None).rate, 2.5);
        assert_eq!(meter.numbers(at(4.0), 0, None).eta, Some(seconds(6)));
    }

    #[test]
    fn without_a_total_there_is_no_eta() {
        let mut meter = Meter::new(None, START);
        meter.finished(at(0.5));
        let numbers = meter.numbers(at(0.5), 0, None);
        assert_eq!((numbers.rate, numbers.total, numbers.eta), (2.0, None, None));
    }

    #[test]
    fn a_result_at_once_has_a_finite_rate() {
        let mut meter = Meter::new(Some(3), START);
        meter.finished(START);
        let numbers = meter.numbers(START, 0, None);
        assert_eq!((numbers.rate, numbers.eta), (1_000.0, Some(Duration::from_millis(2))));
    }

    #[test]
    fn the_rate_is_recent() {
        let mut meter = Meter::new(Some(2_000), START);
        finish(&mut meter, 500, 0.02, 20);
        assert_eq!(meter.numbers(at(10.0), 0, None).rate, 50.0);
        // Half as fast from there on: after 5 s the last 10 s are a mixture.
        finish(&mut meter, 125, 10.04, 40);
        assert_eq!(meter.numbers(at(15.0), 0, None).rate, 37.5);
        finish(&mut meter, 375, 15.04, 40);
        let numbers = meter.numbers(at(30.0), 0, None);
        assert_eq!((numbers.done, numbers.rate, numbers.eta), (1_000, 25.0, Some(seconds(40))));
    }

    #[test]
    fn a_silence_slows_the_rate_and_does_not_end_it() {
        let mut meter = Meter::new(Some(2_000), START);
        finish(&mut meter, 1_000, 0.02, 20);
        assert_eq!(meter.numbers(at(20.0), 0, None).rate, 50.0);
        assert_eq!(meter.numbers(at(30.0), 0, None).rate, 25.0);
        assert_eq!(meter.numbers(at(110.0), 0, None).rate, 5.0);
        assert_eq!(meter.numbers(at(110.0), 0, None).eta, Some(seconds(200)));
    }

    #[test]
    fn slow_results_are_measured_from_one_to_the_next() {
        let mut meter = Meter::new(Some(10), START);
        finish(&mut meter, 4, 12.0, 12_000);
        let numbers = meter.numbers(at(48.0), 0, None);
        assert_eq!((numbers.rate, numbers.eta), (1.0 / 12.0, Some(seconds(72))));
        assert_eq!(meter.numbers(at(48.0), 0, Some(at(60.0))).eta, Some(seconds(12 + 72)));
    }

    #[test]
    fn nothing_finishes_before_the_wait_is_over() {
        // 40 a minute: each burst is followed by a wait for the next minute.
        let mut meter = Meter::new(Some(2_000), START);
        for minute in 0..4 {
            let begin = f64::from(minute) * 60.0;
            finish(&mut meter, 40, begin + 0.25, 10);
            let left = 2_000 - 40 * (u64::try_from(minute).unwrap() + 1);
            for passed in [1, 30, 59] {
                let now = at(begin).after(seconds(passed));
                let numbers = meter.numbers(now, 1, Some(at(begin + 60.0)));
                let eta = numbers.eta.unwrap().as_secs_f64();
                let truth = (60 - passed) as f64 + left as f64 * 1.5;
                assert!((eta / truth - 1.0).abs() < 0.01, "{minute}:{passed}: {eta} {truth}");
            }
        }
    }

    #[test]
    fn the_first_wait_is_part_of_the_pace() {
        let mut meter = Meter::new(Some(2_000), START);
        finish(&mut meter, 40, 0.01, 10);
        let numbers = meter.numbers(at(10.0), 1, Some(at(60.0)));
        assert_eq!(
            (numbers.rate, numbers.waiting_until, numbers.eta),
            (4.0, Some(at(60.0)), Some(seconds(50 + 1_960 * 60 / 40)))
        );
    }

    #[test]
    fn a_wait_that_is_over_counts_no_more() {
        let mut meter = Meter::new(Some(20), START);
        finish(&mut meter, 10, 0.0, 100);
        for until in [START, at(1.0), at(5.0)] {
            assert_eq!(meter.numbers(at(5.0), 0, Some(until)).eta, Some(seconds(5)));
        }
    }

    #[test]
    fn when_all_is_done_nothing_is_left() {
        let mut meter = Meter::new(Some(2), START);
        // One more than was promised.
        finish(&mut meter, 3, 0.0, 100);
        for until in [None, Some(at(60.0))] {
            assert_eq!(meter.numbers(at(1.0), 0, until).eta, Some(Duration::ZERO));
        }
    }

    #[test]
    fn extremes_saturate() {
        let end = Timestamp::from_nanos(u64::MAX);
        let mut meter = Meter::new(Some(u64::MAX), Timestamp::default());
        meter.finished(Timestamp::default());
        for until in [None, Some(end)] {
            let eta = meter.numbers(end.before(seconds(1)), 0, until).eta.unwrap();
            assert!(eta >= Duration::from_nanos(u64::MAX));
        }
        // A clock that goes back.
        let mut meter = Meter::new(Some(2), at(5.0));
        meter.finished(at(3.0));
        assert_eq!(meter.numbers(at(2.0), 0, None).rate, 1_000.0);
    }

    #[test]
    fn memory_is_bounded() {
        for apart in [0, 1, 10, 999, 1_001, 20_000] {
            let mut meter = Meter::new(None, START);
            for nth in 0..50_000 {
                meter.finished(START.after(Duration::from_millis(nth * apart)));
                assert!(meter.marks.len() <= 12);
            }
        }
    }
}
