//! What refusals and answers teach about a rate that nobody tells.
//!
//! A refusal says that the server's bucket was empty when that request arrived. So between two refusals the server
//! refilled exactly what it accepted, less what overflowed while the gate was shut. The pace runs a little below
//! the rate found so, and now and then probes above it.

use std::time::Duration;

use super::{
    Ticket,
    gate::{self, Gate},
    pace::{self, PACES},
    words::{Word, Words, cost},
};
use crate::time::{Timestamp, from_seconds};

/// The least time that a refusal without a time shuts the gate.
pub(crate) const MIN_SHUT: Duration = Duration::from_millis(50);
/// And the most.
const MAX_BARE_SHUT: Duration = Duration::from_secs(30);
/// So many slots it shuts the gate.
const BARE_SLOTS: u32 = 2;

/// The pace, as a part of the rate that was measured.
const BELOW: f64 = 0.985;
/// And no less than this, however uncertain that is.
const MOST_BELOW: f64 = 0.8;
/// A probe begins so much above the rate.
const ABOVE: f64 = 1.03;
/// An answer raises the pace while it climbs.
const CLIMB: f64 = 1.04;
/// The same while nothing has been measured yet.
const FIRST_CLIMB: f64 = 1.08;
/// The same while it is far below what was good before: the refusals were not about the rate.
const RECOVER: f64 = 1.5;
/// A rate measured over fewer answers is not relied on.
const FEW: f64 = 20.0;
/// Over fewer it is not even measured.
const TOO_FEW: f64 = 4.0;
/// So much of what the bucket must have refilled is left in it after a refusal.
const IN_HAND: f64 = 1.5;
/// Marks lie so many times the bucket apart, and at least this many requests.
const MARK_BURSTS: f64 = 1.5;
const MIN_MARK: f64 = 5.0;
/// A bucket that holds less is refused at the pace itself, not after what it held is used up. What was accepted then
/// says too little: timers were late, and nothing was caught up with.
const NO_BURST: f64 = 2.0;
const AT_PACE: f64 = 0.95;
/// One probe raises the rate by no more than this if that is all that it shows.
const MOST_RAISED: f64 = 1.1;
/// What one unexpected refusal takes off: a stranger may have used the account.
const SHRINK: f64 = 0.95;
/// A second one within so many slots is measured.
const SOON_SLOTS: f64 = 20.0;
const SOON_SECONDS: f64 = 1.0;
/// No probe sooner than this after the last refusal, in seconds and in slots.
const PROBE_SECONDS: f64 = 8.0;
const PROBE_SLOTS: f64 = 100.0;
/// A refusal that shuts the gate for longer than the server's bucket refills costs time: so many times that lies
/// between two probes, which is 2 %.
const PROBE_PRICE: f64 = 50.0;
/// A burst that is used up sooner says nothing about the rate. So long the first refusal shuts the gate: what refills
/// meanwhile does.
const LEAST_BURST: Duration = Duration::from_millis(250);
/// A pause after which what came before says nothing about the rate that was refused.
pub(crate) const PAUSE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
enum Mode {
    /// Never refused: not paced.
    Open = 0,
    /// Raised by each answer until the next refusal.
    Climb = 1,
    /// A little below the rate.
    Hold = 2,
    /// As `Climb`, from the rate on.
    Probe = 3,
}

impl Mode {
    fn read(words: &Words) -> Self {
        match words.get(Word::Mode) {
            1 => Self::Climb,
            2 => Self::Hold,
            3 => Self::Probe,
            _ => Self::Open,
        }
    }
}

/// What a refusal changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lesson {
    rate: f64,
    pace: f64,
    mode: Mode,
    unexpected: bool,
    /// Measured over enough answers.
    good: bool,
    /// How long the gate is shut if the server names no time.
    shut: Duration,
}

/// An accepted request.
pub(crate) fn accepted(words: &Words, ticket: &Ticket, now: Timestamp) {
    if !ticket.busy || ticket.epoch != Gate::read(words).epoch {
        return;
    }
    mark(words, now);
    let old = words.number(Word::Pace);
    let grown = match Mode::read(words) {
        Mode::Open => return,
        Mode::Climb if old < words.number(Word::GoodRate) / 2.0 => old * RECOVER,
        Mode::Climb if words.number(Word::GoodRate) == 0.0 => old * FIRST_CLIMB,
        Mode::Climb | Mode::Probe => old * CLIMB,
        Mode::Hold => {
            let due = words.get(Word::ProbeAt);
            if now.as_nanos() < due || !words.swap(Word::ProbeAt, due, u64::MAX) {
                return;
            }
            words.set(Word::Mode, Mode::Probe as u64);
            words.number(Word::Rate) * ABOVE
        }
    };
    words.change_number(Word::Pace, old, grown.clamp(PACES.0, PACES.1));
}

/// Sets a mark now and then, so that a refusal can be measured from a time when the bucket may have been full.
fn mark(words: &Words, now: Timestamp) {
    let newest = words.get(Word::NewestMark);
    let sent = words.get(Word::Sent);
    let since = sent.saturating_sub(words.get_at(mark_at(newest) + 1));
    if cost(since) >= (pace::burst(words) * MARK_BURSTS).max(MIN_MARK)
        && words.swap(Word::NewestMark, newest, newest.wrapping_add(1))
    {
        set_anchor(words, mark_at(newest.wrapping_add(1)), now, sent);
    }
}

fn mark_at(number: u64) -> usize {
    Word::Marks as usize + number as usize % Word::MARKS * Word::MARK_WORDS
}

/// An anchor: an instant, and what was sent and refused up to it.
fn set_anchor(words: &Words, place: usize, at: Timestamp, sent: u64) {
    words.set_at(place, at.as_nanos());
    words.set_at(place + 1, sent);
    words.set_at(place + 2, words.get(Word::Refused));
}

/// Those since which a refusal is measured: when the bucket was empty, and the marks.
fn anchors() -> impl Iterator<Item = usize> {
    [Word::EmptyAt as usize].into_iter().chain(marks())
}

fn marks() -> impl Iterator<Item = usize> {
    (0..Word::MARKS as u64).map(mark_at)
}

/// A refused request: shuts the gate and draws the lesson, once per epoch.
pub(crate) fn refused(words: &Words, ticket: &Ticket, wish: Option<Duration>, now: Timestamp) {
    let first = Mode::read(words) == Mode::Open;
    let lesson = lesson(words, ticket);
    let opens = |bare| now.after(wish.map_or(bare, |wish| wish.min(gate::MAX_SHUT)));
    let until = opens(lesson.shut);
    let is_news = gate::react(words, ticket.epoch, until, now);
    words.add(Word::Refused, ticket.units);
    if is_news {
        take_note(words, ticket, &lesson, until);
        if first {
            words.set(Word::FirstAccepted, words.get(Word::Sent).saturating_sub(words.get(Word::BusySent)));
        }
    } else {
        gate::shut(words, opens(slots(pace::pace(words).unwrap_or(PACES.1))), now);
    }
    if ticket.epoch == 0 {
        // Refusals come fast: what is not refused by now was accepted, or is about to be.
        words.lower(Word::FirstAccepted, ticket.units);
    }
}

/// How long a refusal without a time shuts the gate at this pace.
fn slots(pace: f64) -> Duration {
    pace::slot(pace).saturating_mul(BARE_SLOTS).clamp(MIN_SHUT, MAX_BARE_SHUT)
}

fn take_note(words: &Words, ticket: &Ticket, lesson: &Lesson, until: Timestamp) {
    #[cfg(debug_lessons)]
    {
        let all = Measured::since(words, ticket, Word::EmptyAt as usize);
        let m: Vec<(f64, f64)> = marks()
            .map(|m| {
                let s = Measured::since(words, ticket, m);
                (s.accepted, s.seconds)
            })
            .collect();
        eprintln!(
            "{:.3} mode {:?} K {:.0} D {:.3} marks {:?} burst {:.2} pace {:.2} -> {:?}",
            ticket.sent_at.as_nanos() as f64 / 1e9,
            Mode::read(words),
            all.accepted,
            all.seconds,
            m,
            pace::burst(words),
            words.number(Word::Pace),
            lesson
        );
    }
    words.set_number(Word::Rate, lesson.rate);
    words.set_number(Word::Pace, lesson.pace);
    words.set(Word::Mode, lesson.mode as u64);
    if lesson.good {
        words.set_number(Word::GoodRate, lesson.rate);
    }
    if lesson.unexpected {
        words.set(Word::Unexpected, ticket.sent_at.as_nanos());
    }
    for place in anchors() {
        set_anchor(words, place, ticket.sent_at, ticket.serial);
    }
    let shut = until.since(ticket.sent_at).as_secs_f64();
    // What has refilled until the gate opens, less what keeps the next request from meeting an empty bucket.
    let refilled = (shut * lesson.rate).min(pace::burst(words));
    let credit = from_seconds((refilled - IN_HAND).max(1.0) / lesson.pace);
    words.set(Word::Used, until.as_nanos().saturating_sub(crate::time::nanos(credit)));
    let wasted = (shut - pace::burst(words) / lesson.rate).max(0.0);
    let calm = if lesson.good {
        PROBE_SECONDS.max(PROBE_SLOTS / lesson.rate).max(wasted * PROBE_PRICE)
    } else {
        (FEW / lesson.rate).max(wasted * PROBE_PRICE / 4.0)
    };
    words.set(Word::ProbeAt, until.after(from_seconds(calm)).as_nanos());
}

/// What was accepted and how long it took since an anchor.
struct Measured {
    accepted: f64,
    seconds: f64,
}

impl Measured {
    fn since(words: &Words, ticket: &Ticket, anchor: usize) -> Self {
        let before = ticket.serial.saturating_sub(ticket.units);
        let sent = before.saturating_sub(words.get_at(anchor + 1));
        let refused = words.get(Word::Refused).saturating_sub(words.get_at(anchor + 2));
        let since = ticket.sent_at.since(Timestamp::from_nanos(words.get_at(anchor)));
        Self { accepted: cost(sent.saturating_sub(refused)), seconds: since.as_secs_f64().max(0.001) }
    }

    /// The rate when next to nothing was accepted: half a request more would have been, at most.
    fn at_most(&self, one: f64) -> f64 {
        (self.accepted + one / 2.0) / self.seconds
    }
}

fn lesson(words: &Words, ticket: &Ticket) -> Lesson {
    let mode = Mode::read(words);
    if mode == Mode::Open {
        return first_lesson(words, ticket);
    }
    let pace = words.number(Word::Pace).clamp(PACES.0, PACES.1);
    let rate = words.number(Word::Rate).clamp(PACES.0, PACES.1);
    let all = Measured::since(words, ticket, Word::EmptyAt as usize);
    let opened = Gate::read(words).not_before;
    let shut = opened.since(Timestamp::from_nanos(words.get(Word::EmptyAt))).as_secs_f64();
    let one = cost(ticket.units);
    let few = all.accepted < TOO_FEW * one;
    if few && mode == Mode::Climb {
        let rate = all.at_most(one).min(pace * 0.6).clamp(PACES.0, PACES.1);
        // Nothing at all: twice as long each time, as the refused call itself waits.
        let again = from_seconds(all.seconds).clamp(MIN_SHUT, MAX_BARE_SHUT);
        let shut = if all.accepted == 0.0 { again } else { slots(rate) };
        return Lesson { rate, pace: rate, mode: Mode::Climb, unexpected: false, good: false, shut };
    }
    let mut measured = if few { all.at_most(one) } else { measure(words, ticket, &all, shut) };
    if mode != Mode::Hold && pace::burst_at(words, measured) < NO_BURST {
        let at_pace = ticket.pace * AT_PACE;
        measured = measured.max(if mode == Mode::Probe { at_pace.min(rate * MOST_RAISED) } else { at_pace });
    }
    let (rate, unexpected) = match mode {
        Mode::Probe => (rate.max(measured), false),
        Mode::Hold => {
            let last = Timestamp::from_nanos(words.get(Word::Unexpected));
            let soon = ticket.sent_at.since(last).as_secs_f64() < (SOON_SLOTS / rate).max(SOON_SECONDS);
            let shrunk = rate * SHRINK;
            (if soon { measured.clamp(rate / 2.0, shrunk) } else { shrunk.max(measured.min(rate)) }, true)
        }
        _ => (measured, false),
    };
    let below = (1.0 - one / (all.accepted + one)).clamp(MOST_BELOW, BELOW);
    let pace = rate * below;
    let good = all.accepted >= FEW * one;
    Lesson { rate, pace, mode: Mode::Hold, unexpected, good, shut: slots(pace) }
}

/// The rate at which the server refilled its bucket.
///
/// Since it was last empty it refilled what it accepted, and what overflowed. Since a mark it refilled what it accepted
/// less what the bucket held then, which is at most all of it. So each is a rate that it had at least.
fn measure(words: &Words, ticket: &Ticket, all: &Measured, shut: f64) -> f64 {
    let mut rate = all.accepted / all.seconds;
    let burst = pace::burst_at(words, rate);
    if rate * shut > burst {
        // The bucket was full when the gate opened.
        let open = (all.seconds - shut).max(0.001);
        rate = rate.max((all.accepted - (burst - 1.0)) / open);
    }
    for mark in marks() {
        let since = Measured::since(words, ticket, mark);
        if since.seconds * ticket.pace < MIN_MARK {
            continue;
        }
        rate = rate.max((since.accepted - (pace::burst_at(words, rate) - 1.0)) / since.seconds);
    }
    // Nothing is refused that the bucket refills as fast as it is sent.
    rate.min(ticket.pace).clamp(PACES.0, PACES.1)
}

/// Before the first refusal nothing was paced: what was accepted says how large the bucket is, and hardly more.
fn first_lesson(words: &Words, ticket: &Ticket) -> Lesson {
    let since = Timestamp::from_nanos(words.get(Word::BusySince));
    let took = ticket.sent_at.since(since);
    let sent = ticket.serial.saturating_sub(ticket.units).saturating_sub(words.get(Word::BusySent));
    let accepted = sent.saturating_sub(words.get(Word::Refused));
    words.set(Word::FirstTook, crate::time::nanos(took));
    let one = cost(ticket.units);
    let rate = ((cost(accepted) + one) / took.max(LEAST_BURST).as_secs_f64() / 2.0).clamp(PACES.0, PACES.1);
    Lesson { rate, pace: rate, mode: Mode::Climb, unexpected: false, good: false, shut: LEAST_BURST }
}
