//! What the server must have refilled at least since an instant when its bucket was empty, or may have been full.
//!
//! A refusal says that the bucket was empty. So from one refusal to the next the server refilled what it accepted, and
//! what overflowed. While the pace climbs, marks are set: since a mark it refilled what it accepted, less what the
//! bucket held then, and that is at most all of it. Each of these is a rate that the server had at least, and the
//! greatest is close to it: at the mark where the pace crossed the rate the bucket was full for the last time.

use super::{
    Ticket,
    gate::Gate,
    pace::{self, PACES},
    words::{Word, Words, cost},
};
use crate::time::Timestamp;

/// A climb from the rate until a bucket of B is used up takes some ten √B requests: marks lie so many √B apart that
/// they reach back that far, and no closer than this, for one request more or less is the error of each.
const MARK_ROOTS: f64 = 2.5;
const LEAST_MARK: f64 = 3.0;
/// Shorter times are what clocks and timers make of none.
const LEAST_SECONDS: f64 = 0.001;

/// What was accepted and how long it took since an anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Since {
    pub(super) accepted: f64,
    pub(super) seconds: f64,
}

/// A rate, and over how much it was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) rate: f64,
    pub(super) over: f64,
}

impl Since {
    /// Since the bucket was last empty, up to a refused request.
    pub(super) fn empty(words: &Words, ticket: &Ticket) -> Self {
        Self::anchor(words, ticket, Word::EmptyAt as usize)
    }

    /// The same, and only since the gate was open.
    pub(super) fn open(words: &Words, ticket: &Ticket) -> Self {
        let all = Self::empty(words, ticket);
        Self { seconds: (all.seconds - shut(words)).max(LEAST_SECONDS), ..all }
    }

    fn anchor(words: &Words, ticket: &Ticket, anchor: usize) -> Self {
        let before = ticket.serial.saturating_sub(ticket.units).saturating_sub(words.get(Word::Refused));
        let since = ticket.sent_at.since(Timestamp::from_nanos(words.get_at(anchor)));
        Self {
            accepted: cost(before.saturating_sub(words.get_at(accepted_at(anchor)))),
            seconds: since.as_secs_f64().max(LEAST_SECONDS),
        }
    }

    /// With so much more accepted.
    pub(super) fn rate_with(&self, more: f64) -> f64 {
        (self.accepted + more) / self.seconds
    }
}

/// How long of the time since the bucket was empty the gate was shut.
pub(super) fn shut(words: &Words) -> f64 {
    Gate::read(words).not_before.since(Timestamp::from_nanos(words.get(Word::EmptyAt))).as_secs_f64()
}

/// The rate at which the server refilled its bucket, if nobody else takes from it.
pub(super) fn measure(words: &Words, ticket: &Ticket, all: &Since) -> Measured {
    let mut best = Measured { rate: all.rate_with(0.0), over: all.accepted };
    let mut no_less = |since: Since| {
        // One of those that it held is the refused one's, in part.
        let refilled = since.accepted - (pace::burst_at(words, best.rate) - 1.0);
        if refilled > best.rate * since.seconds {
            best = Measured { rate: refilled / since.seconds, over: refilled };
        }
    };
    let shut = shut(words);
    if all.rate_with(0.0) * shut > pace::burst_at(words, all.rate_with(0.0)) {
        // The bucket was full when the gate opened.
        no_less(Since::open(words, ticket));
    }
    marks().map(|mark| Since::anchor(words, ticket, mark)).for_each(no_less);
    // Nothing is refused that the bucket refills as fast as it is sent.
    Measured { rate: best.rate.min(ticket.pace).clamp(PACES.0, PACES.1), ..best }
}

/// An anchor is an instant, and what was accepted up to it.
fn set_anchor(words: &Words, anchor: usize, at: Timestamp, accepted: u64) {
    words.set_at(anchor, at.as_nanos());
    words.set_at(accepted_at(anchor), accepted);
}

const _: () = assert!(Word::EmptyAccepted as usize == Word::EmptyAt as usize + 1);

fn accepted_at(anchor: usize) -> usize {
    anchor.saturating_add(1)
}

fn mark(number: u64) -> usize {
    Word::Marks as usize + number as usize % Word::MARKS * Word::MARK_WORDS
}

fn marks() -> impl Iterator<Item = usize> {
    (0..Word::MARKS as u64).map(mark)
}

fn anchors() -> impl Iterator<Item = usize> {
    [Word::EmptyAt as usize].into_iter().chain(marks())
}

/// Sets a mark now and then.
pub(super) fn accepted(words: &Words, units: u64, now: Timestamp) {
    let newest = words.get(Word::NewestMark);
    let accepted = words.get(Word::Sent).saturating_sub(words.get(Word::Refused));
    let since = cost(accepted.saturating_sub(words.get_at(accepted_at(mark(newest)))));
    let one = cost(units);
    let next = newest.wrapping_add(1);
    if since >= (MARK_ROOTS * (pace::burst(words) * one).sqrt()).max(LEAST_MARK * one)
        && words.swap(Word::NewestMark, newest, next)
    {
        set_anchor(words, mark(next), now, accepted);
    }
}

/// The refusal that is learned from: all is measured from here on.
pub(super) fn begin(words: &Words, ticket: &Ticket) {
    let accepted = ticket.serial.saturating_sub(words.get(Word::Refused));
    anchors().for_each(|anchor| set_anchor(words, anchor, ticket.sent_at, accepted));
}

/// A refusal that nothing is learned from. What was sent before an anchor counted as accepted there, and whenever
/// this was sent the bucket was empty.
pub(super) fn correct(words: &Words, ticket: &Ticket) {
    let at = ticket.sent_at.as_nanos();
    for anchor in anchors().filter(|anchor| words.get_at(*anchor) > at) {
        words.lower_at(accepted_at(anchor), ticket.units);
    }
    let empty = words.get(Word::EmptyAt);
    if at >= empty {
        // The last lesson stays the last one.
        words.swap(Word::Unexpected, empty, at);
        let accepted = ticket.serial.saturating_sub(words.get(Word::Refused));
        set_anchor(words, Word::EmptyAt as usize, ticket.sent_at, accepted);
    }
}
