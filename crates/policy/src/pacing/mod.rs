//! What is known about a limit, and when a request may be sent under it.
//!
//! The knowledge of one key is a row of 64-bit words that several processes may share. Each word means
//! something on its own and is changed by compare-and-swap, so whoever is killed between two of them
//! leaves nothing that must be undone. Time is passed in; nothing here waits.

mod at_once;
mod claim;
mod elder;
mod gate;
mod given;
mod learn;
mod measure;
mod pace;
mod quota;
mod report;
mod seen;
mod waiter;
mod window;
mod words;

use std::time::Duration;

use crate::{quota_headers::Quota, time::Timestamp};
use words::Word;

pub use report::Report;
pub use seen::What;
pub use waiter::{Next, Waiter};
pub use words::{WORDS, Words};

/// Whose turn it is first when a slot is due: a person waits for a web page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Web,
    Batch,
    /// Nobody else can be waiting: a virtual clock.
    Alone,
}

/// All that holds for one call.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    /// What is learned of the call's own scope.
    pub scope: &'a Words,
    /// The gate of its whole account; `None` when the caller named the key.
    pub account: Option<&'a Words>,
    /// Tells the scopes of one account apart.
    pub tag: u16,
    /// The rates and windows of the caller's own limit.
    pub given: &'a [Given<'a>],
}

/// One rule of the caller's limit and what is remembered for it.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    pub rule: &'a crate::limit::Rule,
    /// A rate uses the first word. A window uses as many as it counts: when each was last taken.
    pub words: &'a [std::sync::atomic::AtomicU64],
}

/// What one request asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    /// What the caller says that it costs; `None`: 1 where requests are counted, `tokens` where tokens are.
    pub cost: Option<f64>,
    /// An estimate of its tokens.
    pub tokens: f64,
}

impl Ask {
    fn units(&self) -> u64 {
        words::units(self.cost.unwrap_or(1.0))
    }
}

/// The permission to send one request now, to be shown again with what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ticket {
    sent_at: Timestamp,
    epoch: u16,
    units: u64,
    /// Units and requests sent under this key up to this one.
    serial: u64,
    number: u64,
    /// Requests refused until it was sent.
    refusals: u64,
    /// Since the request before it was sent.
    gap: Duration,
    /// Tokens asked for up to this one, those asked for by it, and what was guessed if the caller did not say.
    tokens: u64,
    asked: f64,
    guessed: f64,
    /// It went through a shut gate.
    scout: bool,
    /// So did this, because it costs less than what the gate is shut for.
    small: bool,
    /// It went although this quota said that nothing is left.
    doubts: Option<quota::Doubt>,
    /// What it is in a window that was learned.
    role: window::Role,
    /// The pace was used up shortly before.
    busy: bool,
    /// It was sent at this pace.
    pace: f64,
}

/// What came of a request.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub what: What,
    pub quotas: &'a [Quota],
    /// Requests of this key in flight at that moment, this one excluded; `None` where they are not counted.
    pub in_flight: Option<u32>,
}

/// In each round of taking, another process took something. So many in a row mean that the words make no sense.
const ROUNDS: u32 = 10_000;

/// Takes note of what came of a request whose answer's headers arrived at `now`.
pub fn observe(known: &Knowledge<'_>, ticket: &Ticket, seen: &Seen<'_>, now: Timestamp) {
    let scope = known.scope;
    quota::told(scope, ticket, seen, now);
    let refused = match seen.what {
        What::Accepted => {
            scope.add(Word::Accepts, 1);
            learn::accepted(scope, ticket, now);
            at_once::accepted(scope, now);
            window::accepted(scope, ticket, now);
            if let Some(doubt) = ticket.doubts {
                quota::refuted(scope, doubt);
            }
            false
        }
        What::Refused { wish } => {
            scope.add(Word::Refusals, 1);
            refused(scope, ticket, seen, wish, now);
            shut_account(known, wish, now);
            true
        }
        What::Overloaded { wish } => {
            let until = now.after(wish.min(gate::MAX_SHUT));
            gate::note_size(scope, 0, now);
            gate::shut(scope, until, now);
            true
        }
        What::Nothing => false,
    };
    if ticket.small {
        gate::scout_is_back(scope, false, now);
    }
    if ticket.scout {
        for words in known.account.into_iter().chain([scope]) {
            gate::scout_is_back(words, refused, now);
            if seen.what == What::Accepted {
                gate::reopen(words, now);
            }
        }
    }
}

/// What the answer says that the request cost: its body tells, so it is known only after [`observe`].
pub fn spent(scope: &Words, ticket: &Ticket, cost: f64) {
    quota::learn_ratio(scope, ticket, cost);
}

/// Whoever accounts for a refusal learns from it.
fn refused(scope: &Words, ticket: &Ticket, seen: &Seen<'_>, wish: Option<Duration>, now: Timestamp) {
    gate::note_size(scope, ticket.units, now);
    if quota::explains(scope, ticket, seen.quotas) {
        // The quota says when there is more, and at which rate.
        scope.add(Word::Refused, ticket.units);
        if let Some(wish) = wish {
            gate::shut(scope, now.after(wish.min(gate::MAX_SHUT)), now);
        }
    } else if (ticket.units == words::ONE && window::refused(scope, ticket, wish, now))
        || (wish.is_none() && at_once::explains(scope, seen.in_flight, now))
    {
        scope.add(Word::Refused, ticket.units);
    } else if ticket.scout {
        // It is no news that the gate is shut.
        scope.add(Word::Refused, ticket.units);
        gate::shut(scope, now.after(wish.unwrap_or(learn::MIN_SHUT).min(gate::MAX_SHUT)), now);
    } else {
        learn::refused(scope, ticket, wish, now);
    }
}

/// Two scopes of one account refused so shortly after each other: it is the account that is refused.
const TOGETHER: Duration = Duration::from_secs(1);

fn shut_account(known: &Knowledge<'_>, wish: Option<Duration>, now: Timestamp) {
    let (Some(account), Some(wish)) = (known.account, wish) else { return };
    let scope = known.tag;
    let (last, at) = gate::unpack(account.get(Word::RefusedScope));
    account.set(Word::RefusedScope, gate::pack(scope, now));
    if last != scope && at != Timestamp::default() && now.since(at) < TOGETHER {
        gate::shut(account, now.after(wish.min(gate::MAX_SHUT)), now);
    }
}

/// Remembers since when requests come without a long pause: what is measured before the first refusal begins there.
fn note_busy(scope: &Words, now: Timestamp) {
    let last = Timestamp::from_nanos(scope.get(Word::LastSent));
    scope.set(Word::LastSent, now.as_nanos());
    if now.since(last) > learn::PAUSE {
        scope.set(Word::BusySince, now.as_nanos());
        scope.set(Word::BusySent, scope.get(Word::Sent));
    }
}
