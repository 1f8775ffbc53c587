//! The caller's own limit: rates by GCRA, windows by a sliding log.
//!
//! All processes together keep it, as the server counts: by the time of arrival. What two requests differ in on
//! their way is kept in hand.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use super::{Given, gate::ASKED_LATER, words::cost};
use crate::{
    limit::Rule,
    time::{Timestamp, nanos},
};

/// How much less time than before may lie between two requests when they arrive, both on open connections. Of a rate
/// without a burst it is taken from each interval, so there it is at most this part of one.
const IN_HAND: Duration = Duration::from_millis(2);
const IN_HAND_PART: u32 = 10;
/// The same where one of them may have had to connect first. A burst keeps it once, at most one interval of it; a
/// window keeps it each time, at most this part of its period.
const IN_HAND_TO_CONNECT: Duration = Duration::from_millis(50);
const IN_HAND_PART_OF_PERIOD: u32 = 200;

impl Given<'_> {
    /// When so many units are due; long ago where nothing holds them back, so that nobody's turn counts from now on.
    pub(crate) fn due(&self, units: u64, now: Timestamp) -> Timestamp {
        match *self.rule {
            Rule::Rate { count, period, burst } => self
                .first()
                .map_or(Timestamp::default(), |tat| Rate::new(count, period, burst).due(tat, units, now)),
            Rule::Window { period, .. } => self.window_due(units, period, now),
            Rule::Concurrency(_) => Timestamp::default(),
        }
    }

    /// Takes them, if they are due.
    pub(crate) fn take(&self, units: u64, now: Timestamp) -> Result<(), Timestamp> {
        match *self.rule {
            Rule::Rate { count, period, burst } => {
                self.first().map_or(Ok(()), |tat| Rate::new(count, period, burst).take(tat, units, now))
            }
            Rule::Window { period, .. } => self.take_window(units, period, now),
            Rule::Concurrency(_) => Ok(()),
        }
    }

    /// How far slots lie apart.
    pub(crate) fn interval(&self) -> Option<Duration> {
        match *self.rule {
            Rule::Rate { count, period, .. } | Rule::Window { count, period } => Some(period / count.max(1)),
            Rule::Concurrency(_) => None,
        }
    }

    /// What was taken at `now` is not used after all.
    pub(crate) fn give_back(&self, units: u64, now: Timestamp) {
        match *self.rule {
            Rule::Rate { count, period, burst } => {
                let paid_in = Rate::new(count, period, burst).paid_in(units);
                let less = |tat: u64| Some(tat.saturating_sub(paid_in));
                if let Some(tat) = self.first() {
                    let _ = tat.fetch_update(Relaxed, Relaxed, less);
                }
            }
            Rule::Window { .. } => {
                let free =
                    |word: &&AtomicU64| word.compare_exchange(now.as_nanos(), 0, Relaxed, Relaxed).is_ok();
                self.words.iter().filter(free).take(permits(units)).for_each(drop);
            }
            Rule::Concurrency(_) => {}
        }
    }

    fn first(&self) -> Option<&AtomicU64> {
        self.words.first()
    }

    /// Each word is one permit and holds when it was last taken. So there are never more than it counts in any period,
    /// whoever took them.
    fn window_due(&self, units: u64, period: Duration, now: Timestamp) -> Timestamp {
        let needed = permits(units).clamp(1, self.words.len().max(1));
        let mut free: Vec<u64> = self.words.iter().map(|word| free_at(word, period, now)).collect();
        let nth = needed.saturating_sub(1).min(free.len().saturating_sub(1));
        if free.is_empty() {
            return Timestamp::default();
        }
        let (_, due, _) = free.select_nth_unstable(nth);
        Timestamp::from_nanos(*due)
    }

    fn take_window(&self, units: u64, period: Duration, now: Timestamp) -> Result<(), Timestamp> {
        let needed = permits(units).clamp(1, self.words.len().max(1));
        let mut taken: Vec<(&AtomicU64, u64)> = Vec::with_capacity(needed);
        for word in self.words {
            if taken.len() == needed {
                break;
            }
            let old = word.load(Relaxed);
            if free_at(word, period, now) <= now.as_nanos()
                && word.compare_exchange(old, now.as_nanos(), Relaxed, Relaxed).is_ok()
            {
                taken.push((word, old));
            }
        }
        if taken.len() == needed || self.words.is_empty() {
            return Ok(());
        }
        // Somebody was faster. Whoever is killed before this has used them up for one period.
        for (word, old) in taken {
            let _ = word.compare_exchange(now.as_nanos(), old, Relaxed, Relaxed);
        }
        Err(self.window_due(units, period, now))
    }
}

/// When a permit is free again.
fn free_at(word: &AtomicU64, period: Duration, now: Timestamp) -> u64 {
    match sane(word, now.after(ASKED_LATER)) {
        0 => 0,
        taken => {
            let in_hand = IN_HAND_TO_CONNECT.min(period / IN_HAND_PART_OF_PERIOD).max(IN_HAND);
            Timestamp::from_nanos(taken).after(period).after(in_hand).as_nanos()
        }
    }
}

/// What a word says. A time after `latest` was written by nobody who keeps this rule: it is that from now on.
fn sane(word: &AtomicU64, latest: Timestamp) -> u64 {
    let (old, latest) = (word.load(Relaxed), latest.as_nanos());
    if old > latest {
        let _ = word.compare_exchange(old, latest, Relaxed, Relaxed);
    }
    old.min(latest)
}

/// A window counts whole requests.
fn permits(units: u64) -> usize {
    usize::try_from(cost(units).ceil() as u64).unwrap_or(usize::MAX)
}

/// The generic cell rate algorithm (ITU-T I.371): its word is the theoretical arrival time, when all that was sent is
/// paid for.
struct Rate {
    count: u32,
    period: Duration,
    burst: u32,
}

impl Rate {
    const fn new(count: u32, period: Duration, burst: u32) -> Self {
        Self { count, period, burst }
    }

    /// How long so many units take to be paid for.
    fn paid_in(&self, units: u64) -> u64 {
        let (period, parts) = (nanos(self.period), u64::from(self.count.max(1)) * 1000);
        let exact = match units.checked_mul(period) {
            Some(product) => product.div_ceil(parts),
            // Dear, and rare.
            None => (u128::from(units) * u128::from(period))
                .div_ceil(u128::from(parts))
                .try_into()
                .unwrap_or(u64::MAX),
        };
        let in_hand =
            if self.burst == 1 { IN_HAND.min(self.interval() / IN_HAND_PART) } else { Duration::ZERO };
        exact.saturating_add(nanos(in_hand))
    }

    /// How far what is paid for may lie ahead.
    fn tolerance(&self) -> u64 {
        let burst = self.paid_in(u64::from(self.burst) * 1000);
        let in_hand = IN_HAND_TO_CONNECT.min(self.interval());
        if self.burst == 1 { burst } else { burst.saturating_sub(nanos(in_hand)) }
    }

    fn interval(&self) -> Duration {
        self.period / self.count.max(1)
    }

    fn due(&self, word: &AtomicU64, units: u64, now: Timestamp) -> Timestamp {
        self.due_after(self.tat(word, now), units)
    }

    fn due_after(&self, tat: u64, units: u64) -> Timestamp {
        let paid_in = self.paid_in(units);
        Timestamp::from_nanos(tat.saturating_add(paid_in).saturating_sub(self.tolerance().max(paid_in)))
    }

    /// No more than a whole burst can be owed.
    fn tat(&self, word: &AtomicU64, now: Timestamp) -> u64 {
        let burst = Duration::from_nanos(self.paid_in(u64::from(self.burst) * 1000));
        sane(word, now.after(burst).after(ASKED_LATER))
    }

    fn take(&self, word: &AtomicU64, units: u64, now: Timestamp) -> Result<(), Timestamp> {
        loop {
            let old = self.tat(word, now);
            let due = self.due_after(old, units);
            if due > now {
                return Err(due);
            }
            let new = old.max(now.as_nanos()).saturating_add(self.paid_in(units));
            if word.compare_exchange(old, new, Relaxed, Relaxed).is_ok() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::Limit;

    const T: u64 = 1_000_000_000_000;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_nanos(T + millis * 1_000_000)
    }

    fn rule(text: &str) -> Rule {
        Limit::parse(text).unwrap().rules.remove(0)
    }

    fn words(count: usize) -> Vec<AtomicU64> {
        (0..count).map(|_| AtomicU64::new(0)).collect()
    }

    /// The instants (ms) at which `costs`, asked for one after the other, are let through.
    fn times(text: &str, costs: &[f64]) -> Vec<u64> {
        let (rule, words) = (rule(text), words(40));
        let count = if let Rule::Window { count, .. } = rule { count as usize } else { 1 };
        let given = Given { rule: &rule, words: &words[..count] };
        let mut now = at(0);
        costs
            .iter()
            .map(|cost| {
                let units = crate::pacing::words::units(*cost);
                now = now.max(given.due(units, now));
                given.take(units, now).unwrap();
                (now.as_nanos() - T).div_ceil(1_000_000)
            })
            .collect()
    }

    #[test]
    fn what_is_let_through_when() {
        // Burst 1: each interval has 2 ms in hand, at most a tenth of it.
        assert_eq!(times("40/min", &[1.0; 4]), [0, 1502, 3004, 4506]);
        assert_eq!(times("100/s", &[1.0; 4]), [0, 11, 22, 33]);
        // A burst: 50 ms once, or one interval.
        assert_eq!(times("10/s burst 3", &[1.0; 6]), [0, 0, 50, 150, 250, 350]);
        assert_eq!(times("100/s burst 3", &[1.0; 5]), [0, 0, 10, 20, 30]);
        // A window: a two-hundredth each time.
        assert_eq!(times("3 per 1s", &[1.0; 7]), [0, 0, 0, 1005, 1005, 1005, 2010]);
        assert_eq!(times("1 per min", &[1.0; 2]), [0, 60_050]);
        assert_eq!(times("3 per 100ms", &[1.0; 4]), [0, 0, 0, 102]);
        // The whole burst at once uses up what is in hand, too.
        assert_eq!(times("10/s burst 4", &[4.0, 4.0, 1.0, 0.5]), [0, 400, 550, 600]);
        assert_eq!(times("3 per 1s", &[2.0, 2.0, 0.5]), [0, 1005, 1005]);
        assert_eq!(times("5 at once", &[1.0; 6]), [0; 6]);
    }

    #[test]
    fn a_rule_without_words_holds_nobody_back() {
        for text in ["40/min", "3 per 1s", "5 at once"] {
            let given = Given { rule: &rule(text), words: &[] };
            assert_eq!(given.due(1000, at(0)), Timestamp::default(), "{text}");
            assert_eq!(given.take(1000, at(0)), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_is_given_back_is_free_at_once() {
        for (text, cost) in [("40/min", 1000), ("10/s burst 3", 3000), ("3 per 1s", 2000)] {
            let (rule, words) = (rule(text), words(3));
            let given = Given { rule: &rule, words: &words };
            given.take(cost, at(0)).unwrap();
            assert!(given.take(cost, at(1)).is_err(), "{text}");
            given.give_back(cost, at(0));
            given.take(cost, at(1)).unwrap();
        }
    }

    #[test]
    fn garbage_holds_nobody_up_for_much_longer_than_the_rule() {
        for (text, most) in [("40/min", 2502), ("10/s burst 3", 1150), ("3 per 1s", 2005)] {
            let (rule, words) = (rule(text), words(3));
            words.iter().for_each(|word| word.store(u64::MAX, Relaxed));
            let given = Given { rule: &rule, words: &words };
            assert_eq!(given.due(1000, at(0)), at(most), "{text}");
            given.take(1000, at(most)).unwrap();
            assert!(given.take(1000, at(most)).is_err() || text != "40/min");
        }
    }
}
