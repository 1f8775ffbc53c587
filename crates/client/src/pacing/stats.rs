//! What the processes of this machine know and did, per key: for people and for metrics.

use std::{path::PathBuf, time::Duration};

use policy::limit::Rule;

use super::store::{PlaceKind, Slot};
use crate::clock;

#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    pub state: State,
    /// Those used by this process, or all.
    pub keys: Vec<KeyStats>,
}

/// Where the knowledge is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The file that is shared; `None`: this process keeps its own.
    pub path: Option<PathBuf>,
    /// Why it does, when nobody asked for that.
    pub reason: Option<String>,
    /// That share it, this one included.
    pub processes: u32,
    /// No further key finds room: it is known per process.
    pub full: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct KeyStats {
    /// Names the key; nothing can be read back from it.
    pub id: u64,
    /// `https://api.example.com`
    pub origin: String,
    pub model: Option<String>,
    /// The caller's limit that this state is for; `None`: what was learned.
    pub limit: Option<String>,
    /// Cost per second that the key is paced at; `None`: not paced.
    pub rate: Option<f64>,
    pub window: Option<Window>,
    /// Requests that may be in flight at once, where a limit was learned.
    pub at_once: Option<u32>,
    /// How long the gate stays shut; zero: open.
    pub shut: Duration,
    pub sent: u64,
    pub accepted: u64,
    /// 429s.
    pub refused: u64,
    /// The time that requests were held back, added up.
    pub held: Duration,
    /// Processes that wait for this key now.
    pub waiting: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    pub limit: f64,
    pub length: Duration,
}

const LIMIT: &str = "limit: ";

/// How the state of a caller's rule is labelled.
pub(super) fn label_of(rule: &Rule) -> String {
    format!("{LIMIT}{rule}")
}

/// `all`: also of keys that only other processes used.
#[must_use]
pub fn stats(all: bool) -> Stats {
    let pacing = crate::runtime::pacing();
    let (own, shared) = (pacing.own(), pacing.store(true));
    let about = shared.about();
    let used = pacing.0.used.borrow();
    let seen = shared.slots().filter(|slot| all || used.contains(&slot.key()));
    Stats {
        state: State { path: about.path, reason: about.reason, processes: about.processes, full: about.full },
        keys: seen.chain(own.slots()).map(|slot| key(&slot)).filter(KeyStats::is_of_use).collect(),
    }
}

impl KeyStats {
    /// An account is there for its gate only, and a scope that answers name a bucket for sends nothing itself.
    fn is_of_use(&self) -> bool {
        self.sent > 0 || self.waiting > 0 || !self.shut.is_zero()
    }
}

fn key(slot: &Slot) -> KeyStats {
    let (label, report) = (slot.label(), slot.words().report(clock::boot()));
    let limit = label.scope.strip_prefix(LIMIT).map(str::to_owned);
    let model = Some(label.scope).filter(|scope| limit.is_none() && !scope.is_empty());
    // The words of a rule mean something else.
    let learned = limit.is_none();
    KeyStats {
        id: slot.key(),
        origin: label.origin,
        model,
        limit,
        rate: report.rate.filter(|_| learned),
        window: report
            .window
            .filter(|_| learned)
            .map(|(limit, length)| Window { limit: limit as f64, length }),
        at_once: slot.words().at_once().filter(|_| learned),
        shut: if learned { report.shut } else { Duration::ZERO },
        sent: report.sent,
        accepted: report.accepted,
        refused: report.refused,
        held: report.held,
        waiting: slot.taken(PlaceKind::Waiting).saturating_add(slot.taken(PlaceKind::WaitingWeb)),
    }
}
