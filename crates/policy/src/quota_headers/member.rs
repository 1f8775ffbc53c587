//! Structured fields (RFC 9651) as far as quotas need them: names or numbers with parameters.
//!
//! A value of a wrong type in a place that is read makes the whole field malformed; what is not read
//! may be anything that parses.

use std::{convert::Infallible, time::Duration};

use sfv::{
    BareItemFromInput, KeyRef, Parser,
    visitor::{
        DictionaryVisitor, EntryVisitor, Ignored, InnerListVisitor, ItemVisitor, ListVisitor,
        ParameterVisitor,
    },
};

use super::{LONGEST_MONTH, Unit};

/// An item and the parameters that draft-ietf-httpapi-ratelimit-headers gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// The hash of a string or token.
    pub(super) name: Option<u64>,
    pub(super) number: Option<u64>,
    /// What is left: `r`.
    pub(super) rest: Option<u64>,
    /// Seconds until it is reset: `t`.
    pub(super) time: Option<u64>,
    /// What the policy allows: `q`.
    pub(super) quota: Option<u64>,
    /// In so many seconds: `w`.
    window: Option<u64>,
    /// What is counted: `qu`, requests when it is not told; `None` what is no unit of ours.
    pub(super) unit: Option<Unit>,
    malformed: bool,
}

const UNTOLD: Member = Member {
    name: None,
    number: None,
    rest: None,
    time: None,
    quota: None,
    window: None,
    unit: Some(Unit::Requests),
    malformed: false,
};

impl Member {
    pub(super) fn window(&self) -> Option<Duration> {
        let window = self.window.filter(|seconds| *seconds > 0).map(Duration::from_secs);
        window.filter(|window| *window <= LONGEST_MONTH)
    }
}

/// The window of the policy that allows `count`.
pub(super) fn window_of(count: u64, policies: &[Member]) -> Option<Duration> {
    let allows = |policy: &&Member| policy.number.or(policy.quota) == Some(count);
    policies.iter().filter(allows).find_map(Member::window)
}

/// The members of a list, at least one.
pub(super) fn list(text: &[u8]) -> Option<Vec<Member>> {
    let mut members = Members(Vec::new());
    Parser::new(text).parse_list_with_visitor(&mut members).ok()?;
    let sound = !members.0.is_empty() && members.0.iter().all(|member| !member.malformed);
    sound.then_some(members.0)
}

/// The members of two lines of one list.
pub(super) fn append(mut list: Vec<Member>, next: Vec<Member>) -> Option<Vec<Member>> {
    list.extend(next);
    Some(list)
}

/// `limit=100, remaining=50, reset=5` (draft-ietf-httpapi-ratelimit-headers-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Triple {
    pub(super) limit: Option<u64>,
    pub(super) remaining: u64,
    pub(super) reset: Option<u64>,
}

impl Triple {
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let mut entries = Entries([UNTOLD; 3]);
        Parser::new(text).parse_dictionary_with_visitor(&mut entries).ok()?;
        let [limit, remaining, reset] = entries.0;
        let sound = [limit, remaining, reset].iter().all(|entry| !entry.malformed && entry.name.is_none());
        let triple = Self { limit: limit.number, remaining: remaining.number?, reset: reset.number };
        sound.then_some(triple)
    }

    /// Of two the smaller rest and limit and the longer reset.
    pub(super) fn stricter(self, other: Self) -> Option<Self> {
        let limit = match (self.limit, other.limit) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let remaining = self.remaining.min(other.remaining);
        Some(Self { limit, remaining, reset: self.reset.max(other.reset) })
    }
}

/// FNV-1a of 64 bits (draft-eastlake-fnv).
fn hash(name: &str) -> u64 {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x100_0000_01b3;
    name.bytes().fold(OFFSET_BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// The draft's units, and one that its registry leaves to others.
fn unit(name: &str) -> Option<Unit> {
    match name {
        "requests" => Some(Unit::Requests),
        "tokens" => Some(Unit::Tokens),
        _ => None,
    }
}

fn whole(item: &BareItemFromInput<'_>) -> Option<u64> {
    let BareItemFromInput::Integer(number) = item else { return None };
    u64::try_from(i64::from(*number)).ok()
}

impl<'de> ParameterVisitor<'de> for &mut Member {
    type Out = ();
    type Error = Infallible;

    fn parameter(&mut self, key: &'de KeyRef, value: BareItemFromInput<'de>) -> Result<(), Infallible> {
        let place = match key.as_str() {
            "r" => &mut self.rest,
            "t" => &mut self.time,
            "q" => &mut self.quota,
            "w" => &mut self.window,
            "qu" => {
                match value {
                    BareItemFromInput::String(name) => self.unit = unit(name.as_str()),
                    BareItemFromInput::Token(name) => self.unit = unit(name.as_str()),
                    _ => self.malformed = true,
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        *place = whole(&value);
        self.malformed |= place.is_none();
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<'de> ItemVisitor<'de> for &mut Member {
    type Out = ();
    type Error = Infallible;

    fn bare_item(
        self,
        item: BareItemFromInput<'de>,
    ) -> Result<impl ParameterVisitor<'de, Out = ()>, Infallible> {
        match &item {
            BareItemFromInput::String(name) => self.name = Some(hash(name.as_str())),
            BareItemFromInput::Token(name) => self.name = Some(hash(name.as_str())),
            number => self.number = whole(number),
        }
        self.malformed |= self.name.is_none() && self.number.is_none();
        Ok(self)
    }
}

impl<'de> EntryVisitor<'de> for &mut Member {
    type Error = Infallible;

    fn item(self) -> Result<impl ItemVisitor<'de>, Infallible> {
        Ok(self)
    }

    fn inner_list(self) -> Result<impl InnerListVisitor<'de>, Infallible> {
        self.malformed = true;
        Ok(Ignored)
    }
}

struct Members(Vec<Member>);

impl<'de> ListVisitor<'de> for &mut Members {
    type Out = ();
    type Error = Infallible;

    fn entry(&mut self) -> Result<impl EntryVisitor<'de>, Infallible> {
        self.0.push(UNTOLD);
        Ok(self.0.last_mut())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

struct Entries([Member; 3]);

impl<'de> DictionaryVisitor<'de> for &mut Entries {
    type Out = ();
    type Error = Infallible;

    fn entry(&mut self, key: &'de KeyRef) -> Result<impl EntryVisitor<'de>, Infallible> {
        let [limit, remaining, reset] = &mut self.0;
        let place = match key.as_str() {
            "limit" => limit,
            "remaining" => remaining,
            "reset" => reset,
            _ => return Ok(None),
        };
        // Of equal keys the last one counts (RFC 9651 section 3.2).
        *place = UNTOLD;
        Ok(Some(place))
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}
