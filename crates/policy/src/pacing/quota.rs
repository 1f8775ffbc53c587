//! What quota headers have told: how much is left, and when there is more.
//!
//! Each quota of a key has a place of four words: which one it is and who told it last, what is left, when there is
//! more, and how much there can be. A request takes its part of what is left before it is sent, by compare-and-swap:
//! of two processes that read "1 left" one goes. Answers correct what is left. They may lower it at once, and raise
//! it only as far as requests that are still on their way cannot be hidden in it.

mod bucket;
mod place;
mod span;

use super::{
    Ask, Seen, Ticket,
    words::{Word, Words},
};
use crate::{
    quota_headers::{Kind, Quota, Unit},
    time::Timestamp,
};
use place::{Head, Place};

pub(crate) use place::Doubt;

/// Requests arrive up to so much less apart than they were sent. So much later than told they go.
const IN_HAND: std::time::Duration = std::time::Duration::from_millis(2);

/// What a call costs by the server's count is kept within this of what was guessed.
const RATIOS: (f64, f64) = (0.05, 20.0);
/// How much one answer counts in that.
const RATIO_STEP: f64 = 1.0 / 16.0;

/// What one request takes of each kind of quota.
#[derive(Clone, Copy, Debug)]
struct Need {
    requests: f64,
    tokens: f64,
}

impl Need {
    fn of(words: &Words, ask: &Ask) -> Self {
        Self { requests: 1.0, tokens: tokens(words, ask) }
    }

    const fn from(&self, head: &Head) -> f64 {
        if head.counts_tokens { self.tokens } else { self.requests }
    }
}

/// What a request costs where tokens are counted: at least 1 and whole.
pub(crate) fn tokens(words: &Words, ask: &Ask) -> f64 {
    // No API allows so many tokens, and sums of them fit into a word.
    const MOST: f64 = 1e12;
    ask.cost.unwrap_or(ask.tokens * ratio(words)).ceil().clamp(1.0, MOST).max(1.0)
}

fn ratio(words: &Words) -> f64 {
    match words.number(Word::TokenRatio) {
        0.0 => 1.0,
        ratio => ratio.clamp(RATIOS.0, RATIOS.1),
    }
}

/// Counts a request that is about to be sent: the number of tokens asked for up to and with it.
pub(crate) fn count(words: &Words, ask: &Ask) -> u64 {
    words.add(Word::Tokens, tokens(words, ask) as u64)
}

fn places(words: &Words) -> impl Iterator<Item = (usize, Place<'_>, Head)> {
    // The first place is taken first: as long as nothing was told this is the only look.
    let count = if words.get(Word::Quotas) == 0 { 0 } else { Word::QUOTAS };
    (0..count).filter_map(move |number| {
        let place = Place::new(words, number);
        Some((number, place, place.head()?))
    })
}

/// Until when a quota holds the request back, and which one; `None` when none does.
pub(crate) fn due(words: &Words, ask: &Ask, now: Timestamp) -> Option<(Timestamp, usize)> {
    let need = Need::of(words, ask);
    let held = places(words).filter(|(_, _, head)| !head.ignored).filter_map(|(number, place, head)| {
        let due = match head.kind {
            Kind::Full => bucket::due(place, need.from(&head), now),
            Kind::Window => span::due(place, need.from(&head), now),
        };
        Some((due?, number))
    });
    held.max()
}

/// Takes the request's part of each quota, or of none of them.
pub(crate) fn take(words: &Words, ask: &Ask, now: Timestamp) -> Result<(), (Timestamp, usize)> {
    let need = Need::of(words, ask);
    for (number, place, head) in places(words).filter(|(_, _, head)| !head.ignored) {
        let taken = match head.kind {
            Kind::Full => bucket::take(place, need.from(&head), now),
            Kind::Window => span::take(place, need.from(&head), now),
        };
        if let Err(due) = taken {
            give_back(words, &need, number, now);
            return Err((due, number));
        }
    }
    Ok(())
}

/// Gives back what was taken in the places before `end`.
fn give_back(words: &Words, need: &Need, end: usize, now: Timestamp) {
    for (_, place, head) in places(words).filter(|(number, _, head)| *number < end && !head.ignored) {
        match head.kind {
            Kind::Full => bucket::shift(place, -need.from(&head), now),
            Kind::Window => span::shift(place, -need.from(&head)),
        }
    }
}

/// Takes the part of a request that is sent whatever is left.
pub(crate) fn spend(words: &Words, ask: &Ask, now: Timestamp) {
    let need = Need::of(words, ask);
    for (_, place, head) in places(words) {
        match head.kind {
            Kind::Full => bucket::shift(place, need.from(&head), now),
            Kind::Window => span::shift(place, need.from(&head)),
        }
    }
}

/// The quota of this place as it is told now, to be doubted.
pub(crate) fn doubt(words: &Words, number: usize) -> Option<Doubt> {
    Place::new(words, number).head().map(|head| head.doubt(number))
}

/// A request was accepted that the quota would have held back: it is not believed until it says something else.
pub(crate) fn refuted(words: &Words, doubt: Doubt) {
    let place = Place::new(words, doubt.place);
    if let Some(head) = place.head().filter(|head| head.mark == doubt.mark) {
        place.swap_head(head, Head { ignored: true, ..head });
    }
}

/// Whether a refusal is one that the quotas in its answer account for: it teaches nothing else.
pub(crate) fn explains(words: &Words, ticket: &Ticket, quotas: &[Quota]) -> bool {
    quotas.iter().any(|quota| {
        let need = if quota.unit == Unit::Requests { 1.0 } else { ticket.asked };
        let believed = |place: Option<(usize, Place<'_>, Head)>| place.is_some_and(|(_, _, head)| !head.ignored);
        (quota.remaining as f64) < need
            && quota.reset.is_some()
            && believed(places(words).find(|(_, _, head)| head.id == quota.id))
    })
}

/// A refused request has used nothing of its quotas.
pub(crate) fn refused(words: &Words, ticket: &Ticket, now: Timestamp) {
    let need = Need { requests: 1.0, tokens: ticket.asked };
    give_back(words, &need, Word::QUOTAS, now);
    words.lower(Word::Tokens, ticket.asked as u64);
}

/// What an answer says about one quota, and what is known about the answer.
#[derive(Clone, Copy, Debug)]
struct Told<'a> {
    quota: &'a Quota,
    /// Its request was sent after any other that has told.
    newest: bool,
    /// Nothing is known that it could be compared with.
    first: bool,
    /// What may be on its way still, if that is known.
    in_flight: Option<f64>,
    /// What was sent since.
    since: f64,
    refused: bool,
    /// The number of its request, which tells the windows apart.
    number: u64,
    sent_at: Timestamp,
    now: Timestamp,
}

impl Told<'_> {
    /// What is left at least: requests overtake each other, so that what was sent before may not have been counted.
    fn least_left(&self) -> f64 {
        self.in_flight.map_or(0.0, |others| self.quota.remaining as f64 - self.since - others)
    }
}

/// Takes note of what an answer told.
pub(crate) fn told(words: &Words, ticket: &Ticket, seen: &Seen<'_>, now: Timestamp) {
    for quota in seen.quotas {
        let Some((place, old)) = Place::of(words, quota.id, now) else { continue };
        let tokens = quota.unit != Unit::Requests;
        let since = if tokens {
            words.get(Word::Tokens).saturating_sub(ticket.tokens)
        } else {
            words.get(Word::Sends).saturating_sub(ticket.number)
        };
        let newest = old.is_none_or(|old| old.is_before(ticket.number));
        let mark = place::mark(quota);
        let head = Head {
            id: quota.id,
            kind: quota.kind,
            counts_tokens: tokens,
            ignored: old.is_some_and(|old| old.ignored && old.mark == mark),
            mark,
            number: ticket.number as u32,
        };
        // Who loses here has lost to one that was sent later, or will be corrected by the next.
        let newest = newest && place.put_head(old, head);
        let told = Told {
            quota,
            newest,
            first: old.is_none_or(|old| old.kind != quota.kind),
            in_flight: seen.in_flight.map(|others| f64::from(others) * if tokens { ticket.asked } else { 1.0 }),
            since: since as f64,
            refused: matches!(seen.what, super::What::Refused { .. }),
            number: ticket.number,
            sent_at: ticket.sent_at,
            now,
        };
        match quota.kind {
            Kind::Full => bucket::told(place, &told),
            Kind::Window => span::told(place, &told),
        }
    }
    if let Some(cost) = seen.cost {
        learn_ratio(words, ticket, cost);
    }
}

/// What the answer cost against what was guessed, smoothed.
fn learn_ratio(words: &Words, ticket: &Ticket, cost: f64) {
    let seen = cost / ticket.guessed;
    if seen.is_finite() && seen > 0.0 {
        let old = words.number(Word::TokenRatio);
        let from = ratio(words);
        let seen = seen.clamp(RATIOS.0, RATIOS.1);
        words.change_number(Word::TokenRatio, old, RATIO_STEP.mul_add(seen - from, from));
    }
}

#[cfg(test)]
mod tests;
