//! What quota headers have told: how much is left, and when there is more.

use super::{Ask, Ticket, words::Words};
use crate::{quota_headers::Quota, time::Timestamp};

pub(crate) fn due(_words: &Words, _ask: &Ask, _now: Timestamp) -> Option<(Timestamp, usize)> {
    None
}

pub(crate) fn told(_words: &Words, _ticket: &Ticket, _quotas: &[Quota], _now: Timestamp) {}

pub(crate) fn refuted(_words: &Words, _place: usize) {}
