use std::time::Duration;

use super::*;
use crate::{
    options::Options,
    pacing::{Ask, Class, Knowledge, Next, Seen, Waiter, What, observe},
};

const T: u64 = 1_000_000_000_000;
const ONE: Ask = Ask { cost: None, tokens: 1.0 };
/// An answer takes this long.
const LATENCY: u64 = 10;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_nanos(T + millis * 1_000_000)
}

fn millis_of(at: Timestamp) -> u64 {
    (at.as_nanos() - T).div_ceil(1_000_000)
}

/// A server: what it says to a request at that time (ms); `None`: it takes it.
trait Server {
    fn refuses(&mut self, now: u64) -> Option<Duration>;
}

impl<F: FnMut(u64) -> Option<Duration>> Server for F {
    fn refuses(&mut self, now: u64) -> Option<Duration> {
        self(now)
    }
}

/// So many in each whole period, or from the first request on.
fn fixed(limit: u64, period: u64, from_first: bool, whole: bool) -> impl Server {
    let (mut end, mut used) = (0, 0);
    move |now: u64| {
        if now >= end {
            end = if from_first { now } else { now / period * period } + period;
            used = 0;
        }
        used += 1;
        let rest = end - now;
        (used > limit).then(|| Duration::from_millis(if whole { rest.div_ceil(1000) * 1000 } else { rest }))
    }
}

/// A bucket of `burst` that refills by one each `slot`, and what it says.
fn bucket(burst: u64, slot: u64, says: impl Fn(u64) -> Duration) -> impl Server {
    // When it is full.
    let mut full = 0;
    move |now: u64| {
        let due = (full.max(now) + slot).saturating_sub(burst * slot);
        if due > now {
            return Some(says(due - now));
        }
        full = full.max(now) + slot;
        None
    }
}

fn whole(rest: u64) -> Duration {
    Duration::from_secs(rest.div_ceil(1000))
}

#[derive(Default)]
struct Run {
    words: Words,
    /// When requests were accepted and refused, in ms.
    accepted: Vec<u64>,
    refused: Vec<u64>,
}

impl Run {
    fn knows(&self) -> Knowledge<'_> {
        Knowledge { scope: &self.words, account: None, tag: 0, given: &[] }
    }

    fn answer(&self, ticket: &Ticket, wish: Option<Duration>, now: Timestamp) {
        let what = wish.map_or(What::Accepted, |wish| What::Refused { wish: Some(wish) });
        observe(&self.knows(), ticket, &Seen { what, quotas: &[], in_flight: None }, now);
    }

    /// Callers one after the other, from and to these times.
    fn calls(&mut self, server: &mut impl Server, from: u64, to: u64) {
        let settings = Options::default().validate().unwrap();
        let mut now = at(from);
        while now < at(to) {
            let mut waiter = Waiter::new(&settings, Class::Alone, None);
            let ticket = loop {
                match waiter.next(&self.knows(), &ONE, 0, now) {
                    Next::Send(ticket) => break ticket,
                    Next::Wait { until } => now = until.max(now.after(Duration::from_nanos(1))),
                    other => panic!("{other:?}"),
                }
            };
            let wish = server.refuses(millis_of(now));
            if wish.is_some() { &mut self.refused } else { &mut self.accepted }.push(millis_of(now));
            now = now.after(Duration::from_millis(LATENCY));
            self.answer(&ticket, wish, now);
        }
    }

    fn refused_between(&self, from: u64, to: u64) -> usize {
        self.refused.iter().filter(|at| (from..to).contains(*at)).count()
    }

    fn is_known(&self, now: u64) -> bool {
        is_known(&self.words, at(now))
    }
}

#[test]
fn a_window_is_learned_in_two_and_then_spent() {
    for (from_first, whole) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut run = Run::default();
        run.calls(&mut fixed(20, 4000, from_first, whole), 1500, 100_000);
        assert!(run.is_known(100_000));
        // One refusal ends each of the first two; one goes before the end; one more than the count is tried now
        // and then; five halve the second that is rounded up, and one finds that the length was a second more.
        let tries = 100_000 / 4000 / usize::from(TRY_EACH) + 1;
        let most = 3 + tries + if whole { 6 } else { 0 };
        assert!(run.refused.len() <= most, "{from_first} {whole} {:?}", run.refused);
        // 24 windows of 20, and a part of one.
        let accepted = run.accepted.len();
        assert!(accepted >= 24 * 20, "{from_first} {whole} {accepted}");
    }
}

#[test]
fn within_a_window_there_is_no_pace() {
    let mut run = Run::default();
    run.calls(&mut fixed(20, 4000, false, false), 1500, 40_000);
    let tenth: Vec<u64> = run.accepted.iter().copied().filter(|at| (36_000..40_000).contains(at)).collect();
    assert_eq!(tenth.len(), 20);
    assert_eq!(tenth[19] - tenth[0], 19 * LATENCY);
}

#[test]
fn a_raised_limit_is_found_and_a_lowered_one_at_once() {
    let mut run = Run::default();
    run.calls(&mut fixed(20, 4000, false, false), 1500, 40_000);
    run.calls(&mut fixed(60, 4000, false, false), 40_000, 160_000);
    let in_window =
        |run: &Run, from: u64| run.accepted.iter().filter(|at| (from..from + 4000).contains(*at)).count();
    assert_eq!(in_window(&run, 156_000), 60);
    run.calls(&mut fixed(40, 4000, false, false), 160_000, 180_000);
    assert!(run.refused_between(160_000, 180_000) <= 2, "{:?}", run.refused);
    assert_eq!(in_window(&run, 172_000), 40);
}

#[test]
fn a_bucket_is_not_taken_for_a_window() {
    let slow = || bucket(40, 1500, whole);
    let half = || bucket(10, 2000, whole);
    let fast = || bucket(5, 50, whole);
    let always = |seconds: u64| move |_: u64| Duration::from_secs(seconds);
    let runs = [
        (run(&mut slow(), 300_000), "40 a minute"),
        (run(&mut half(), 300_000), "one in 2 s"),
        (run(&mut fast(), 60_000), "20/s"),
        (run(&mut bucket(50, 50, always(5)), 300_000), "always 5 s"),
        (run(&mut bucket(50, 50, always(60)), 1_000_000), "always 60 s"),
    ];
    for (run, name) in runs {
        let end = run.accepted.last().copied().unwrap_or(0);
        assert!(!run.is_known(end), "{name} {:?}", run.refused);
    }
}

fn run(server: &mut impl Server, to: u64) -> Run {
    let mut run = Run::default();
    run.calls(server, 0, to);
    run
}

#[test]
fn a_known_window_that_becomes_a_bucket_is_forgotten() {
    let mut run = run(&mut fixed(20, 4000, false, false), 40_000);
    assert!(run.is_known(40_000));
    run.calls(&mut bucket(1, 1000, whole), 40_000, 60_000);
    assert!(!run.is_known(60_000));
}

#[test]
fn a_window_longer_than_a_call_waits_is_doubted() {
    let mut run = run(&mut fixed(20, 600_000, false, false), 1_300_000);
    assert!(run.is_known(1_300_000), "{:?} {:?} {:?}", run.accepted, run.refused, State::read(&run.words));
    run.refused.clear();
    // The limit is gone: the first that has waited 30 s goes, and with it all.
    let from = 1_300_000;
    let before = run.accepted.len();
    run.calls(&mut |_: u64| None, from, from + 60_000);
    assert!(!run.is_known(from + 60_000));
    assert!(run.accepted.len() - before > 100);
}

#[test]
fn garbage_holds_nobody_for_longer_than_a_call_waits() {
    let settings = Options::default().validate().unwrap();
    let mut random = 1_u64;
    let mut next = || {
        // Knuth's MMIX generator.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random.rotate_left(32)
    };
    for round in 0..4000 {
        let run = Run::default();
        let soon = |value: u64| pack((value >> 48) as u16, at(value % 4_000_000));
        let any = |value| if round % 2 == 0 { value } else { soon(value) };
        run.words.set(Word::WindowState, if round % 4 < 2 { any(next()) } else { next() | 3 << 62 });
        run.words.set(Word::WindowEnd, any(next()));
        run.words.set(Word::WindowLeft, if round % 8 < 4 { next() } else { next() >> 16 << 48 });
        run.words.set(Word::WindowSizes, next() >> 8);
        let (mut waiter, mut now) = (Waiter::new(&settings, Class::Alone, None), at(0));
        let ticket = loop {
            match waiter.next(&run.knows(), &ONE, 0, now) {
                Next::Send(ticket) => break ticket,
                Next::Wait { until } => now = until.max(now.after(Duration::from_nanos(1))),
                other => panic!("{other:?}"),
            }
        };
        assert!(now <= at(30_000), "{round} {now:?}");
        run.answer(&ticket, (round % 3 == 0).then_some(Duration::from_secs(4)), now);
    }
}
