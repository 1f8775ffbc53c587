//! What quota headers have told: how much is left, and when there is more.
//!
//! Each quota of a key has a place of four words: which one it is and who told it last, what is left, when there is
//! more, and how much there can be. A request takes its part of what is left before it is sent, by compare-and-swap:
//! of two processes that read "1 left" one goes. Answers correct what is left. They may lower it at once, and raise
//! it only as far as requests that are still on their way cannot be hidden in it.

mod bucket;
mod left;
mod place;
mod span;

use super::{
    Ask, Seen, Ticket, What,
    words::{Word, Words},
};
use crate::{
    quota_headers::{Kind, Quota, Unit},
    time::Timestamp,
};
use place::{Head, Place};

pub(crate) use place::Doubt;

/// Nothing is believed that lies further ahead: the longest month.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(31 * 86_400);

/// Requests arrive up to so much less apart than they were sent. So much later than told they go.
const IN_HAND: std::time::Duration = std::time::Duration::from_millis(2);

/// A request that was sent so long after the one before it arrives after it. A new connection takes as long.
const APART: std::time::Duration = std::time::Duration::from_millis(250);

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

fn places(words: &Words) -> impl Iterator<Item = (usize, Place<'_>, Head)> {
    // The first place is taken first: as long as nothing was told this is the only look.
    let count = if words.get(Word::Quotas) == 0 { 0 } else { Word::QUOTAS };
    (0..count).filter_map(move |number| {
        let place = Place::new(words, number);
        Some((number, place, place.head()?))
    })
}

/// Whether an answer told of a quota that counts tokens.
pub(crate) fn counts_tokens(words: &Words) -> bool {
    places(words).any(|(_, _, head)| head.counts_tokens)
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
    Some(number)
        .filter(|number| *number < Word::QUOTAS)
        .and_then(|number| Place::new(words, number).head())
        .map(|head| head.doubt(number))
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
        let believed =
            |place: Option<(usize, Place<'_>, Head)>| place.is_some_and(|(_, _, head)| !head.ignored);
        (quota.remaining as f64) < need
            && quota.reset.is_some()
            && believed(places(words).find(|(_, _, head)| head.id == quota.id))
    })
}

/// A refused request has used nothing of its quotas.
fn refused(words: &Words, ticket: &Ticket, now: Timestamp) {
    let need = Need { requests: 1.0, tokens: ticket.asked };
    for (_, place, head) in places(words).filter(|(_, _, head)| !head.ignored) {
        match head.kind {
            Kind::Full => bucket::shift(place, -need.from(&head), now),
            Kind::Window if span::holds(place, ticket.number, now) => span::shift(place, -need.from(&head)),
            Kind::Window => {}
        }
    }
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
    /// What its own request took, and what others on their way may have taken.
    need: f64,
    others: f64,
    /// Nothing was sent shortly before it: nothing can have arrived later that was sent earlier.
    apart: bool,
    /// What was sent since.
    since: f64,
    /// The number of its request, which tells the windows apart.
    number: u64,
    sent_at: Timestamp,
    now: Timestamp,
}

/// Takes note of what an answer told.
pub(crate) fn told(words: &Words, ticket: &Ticket, seen: &Seen<'_>, now: Timestamp) {
    if matches!(seen.what, What::Refused { .. }) {
        refused(words, ticket, now);
    }
    for quota in seen.quotas {
        let Some((place, old)) = Place::of(words, quota.id, now) else { continue };
        let need = if quota.unit == Unit::Requests { 1.0 } else { ticket.asked };
        let since = since(words, ticket, quota.unit);
        let told = Told {
            quota,
            // Who loses here has lost to one that was sent later, or will be corrected by the next.
            newest: old.is_none_or(|old| old.is_before(ticket.number))
                && place.put_head(old, Head::new(quota, old, ticket.number)),
            first: old.is_none_or(|old| old.kind != quota.kind),
            need,
            others: seen.in_flight.map_or(since, |others| (f64::from(others) * need).max(since)),
            apart: ticket.gap >= APART,
            since,
            number: ticket.number,
            sent_at: ticket.sent_at,
            now,
        };
        match quota.kind {
            Kind::Full => bucket::told(place, &told),
            Kind::Window => span::told(place, &told),
        }
    }
}

/// What was sent after this request and not refused.
fn since(words: &Words, ticket: &Ticket, unit: Unit) -> f64 {
    let sent = if unit == Unit::Requests {
        let refused = words.get(Word::Refusals).saturating_sub(ticket.refusals);
        words.get(Word::Sends).saturating_sub(ticket.number).saturating_sub(refused)
    } else {
        words.get(Word::Tokens).saturating_sub(ticket.tokens)
    };
    sent as f64
}

/// What the answer cost against what was guessed, smoothed.
pub(crate) fn learn_ratio(words: &Words, ticket: &Ticket, cost: f64) {
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
