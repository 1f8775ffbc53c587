//! What refusals and answers teach about a rate that nobody tells.
//!
//! After a refusal the pace climbs until the next one, and the rate is what the server refilled between them: see
//! [`super::measure`]. The pace then holds a little below it, and now and then probes above it.

use std::time::Duration;

use super::{
    Ticket,
    gate::{self, Gate},
    measure::{self, Measured, Since},
    pace::{self, PACES},
    words::{ONE, Word, Words, cost},
};
use crate::time::{Timestamp, from_seconds};

/// The least time that a refusal without a time shuts the gate.
pub(crate) const MIN_SHUT: Duration = Duration::from_millis(50);
/// And the most: as long as the last wait of a call that is refused five times.
const MAX_BARE_SHUT: Duration = Duration::from_secs(4);
/// So many slots it shuts the gate.
const BARE_SLOTS: u32 = 2;
/// A burst that is used up sooner says nothing about the rate. So long the first refusal shuts the gate: what refills
/// meanwhile does.
const LEAST_BURST: Duration = Duration::from_millis(250);
/// This part of the time that a longer one took: what refills then tells slow rates, and the bucket keeps it.
const BURST_PART: f64 = 0.5;
/// A pause after which what came before says nothing about the rate that was refused.
pub(crate) const PAUSE: Duration = Duration::from_secs(10);

/// An answer raises the pace while it climbs from half of what was good.
const CLIMB: f64 = 1.04;
/// The same before the second refusal: the rate may be ten times what the burst has shown.
const FIRST_CLIMB: f64 = 1.15;
/// The same below half of what was good: those refusals were not about the rate.
const RECOVER: f64 = 1.5;
/// So much it climbs in a second at least, for a share that got small has few answers.
const CLIMB_SECOND: f64 = 0.05;
/// An answer raises the pace while it probes. The slower, the more answers the next rate is measured over.
const PROBE_CLIMB: f64 = 1.02;

/// From half of the last pace a climb begins after a refusal that came too soon to measure.
const HALF: f64 = 0.5;
/// One request in so many seconds goes however often it was refused: refusals that slowing down does not end are not
/// about a rate, and a slower rate than this comes with a time or a quota.
const SLOWEST: f64 = 4.0;
/// Over fewer answers no rate is measured: each may be off by a third.
const FEW: f64 = 4.0;
/// The pace, as a part of the rate that was measured.
const BELOW: f64 = 0.99;
/// What one unexpected refusal takes off: a stranger may have used the account.
const SHRINK: f64 = 0.95;
/// So long after an unexpected refusal others are taken to use the bucket, too.
const SHARED: Duration = Duration::from_secs(30);
/// A bucket that holds less is refused at the pace itself, not after what it held is used up. What was accepted then
/// says too little: timers were late, and nothing was caught up with.
const NO_BURST: f64 = 2.0;
const AT_PACE: f64 = 0.95;

/// A rate that n answers have shown holds for so many times n more. It is off by one in n at most: what that
/// costs the bucket has kept, or it is little.
const HOLD: f64 = 4.0;
/// No longer than this, in seconds and in slots: the rate may have changed.
const MOST_SECONDS: f64 = 8.0;
const MOST_SLOTS: f64 = 150.0;
/// A refusal that shuts the gate for longer than the server's bucket refills costs time: so many times that lies
/// between two probes, which is 2 %; less while the rate is known over few answers.
const PRICE: f64 = 50.0;
const PRICE_PER_ANSWER: f64 = 0.5;
/// What lies further ahead was not written by a refusal.
const LONGEST_HOLD: Duration = Duration::from_secs(24 * 60 * 60);

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
    /// Two words change one after the other: what is paced is not open.
    fn read(words: &Words) -> Self {
        match words.get(Word::Mode) {
            _ if pace::pace(words).is_none() => Self::Open,
            2 => Self::Hold,
            3 => Self::Probe,
            _ => Self::Climb,
        }
    }
}

/// What a refusal changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lesson {
    /// 0: not known.
    rate: f64,
    pace: f64,
    mode: Mode,
    unexpected: bool,
    /// Over how many answers the rate was measured.
    over: f64,
    /// How long the gate is shut if the server names no time.
    shut: Duration,
    /// Nothing was accepted since the last one.
    nothing: bool,
}

/// An accepted request.
pub(crate) fn accepted(words: &Words, ticket: &Ticket, now: Timestamp) {
    if !ticket.busy || ticket.epoch != Gate::read(words).epoch {
        return;
    }
    measure::accepted(words, ticket.units, now);
    let Some(pace) = pace::pace(words) else { return };
    let good = words.number(Word::GoodRate);
    let by_time = (1.0 + CLIMB_SECOND * cost(ticket.units) / pace).min(RECOVER);
    let grown = match Mode::read(words) {
        Mode::Open => return,
        // Nothing had been let through, and now something is: it was no rate that was refused.
        Mode::Climb if pace < good * HALF && words.get(Word::Nothing) == 1 => good * HALF,
        Mode::Climb if pace < good * HALF => pace * RECOVER,
        Mode::Climb if words.number(Word::Rate) == 0.0 => pace * FIRST_CLIMB.max(by_time),
        Mode::Climb => pace * CLIMB.max(by_time),
        Mode::Probe => pace * PROBE_CLIMB.max(by_time),
        Mode::Hold => {
            let due = Timestamp::from_nanos(words.get(Word::ProbeAt));
            if now < due && due <= now.after(LONGEST_HOLD) {
                return;
            }
            words.set(Word::Mode, Mode::Probe as u64);
            words.number(Word::Rate).max(pace)
        }
    };
    words.change_number(Word::Pace, words.number(Word::Pace), grown.clamp(PACES.0, PACES.1));
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
        take_note(words, ticket, &lesson, until, now);
        if first {
            words.set(Word::FirstAccepted, words.get(Word::Sent).saturating_sub(words.get(Word::BusySent)));
        }
    } else {
        gate::shut(words, opens(slots(pace::pace(words).unwrap_or(PACES.1))), now);
        measure::correct(words, ticket);
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

fn take_note(words: &Words, ticket: &Ticket, lesson: &Lesson, until: Timestamp, now: Timestamp) {
    words.set_number(Word::Rate, lesson.rate);
    words.set(Word::Nothing, u64::from(lesson.nothing));
    words.set(Word::Mode, lesson.mode as u64);
    words.set_number(Word::Pace, lesson.pace);
    // What is refused soon after something was accepted again was not so good. Before anything was measured, a first
    // rate that lasted is as good as any.
    let lasted = Mode::Climb == lesson.mode && lesson.rate == 0.0 && lesson.shut > LEAST_BURST;
    let is_first = words.number(Word::GoodRate) == 0.0;
    if lesson.mode == Mode::Hold || (lesson.rate > 0.0 && is_first) {
        words.set_number(Word::GoodRate, lesson.rate);
    } else if lesson.rate > 0.0 && !lesson.nothing {
        words.set_number(Word::GoodRate, (words.number(Word::GoodRate) * HALF).max(lesson.rate));
    } else if lasted {
        words.set_number(Word::GoodRate, lesson.pace);
    }
    if lesson.unexpected {
        words.set(Word::Unexpected, ticket.sent_at.as_nanos());
    }
    measure::begin(words, ticket);
    let rate = if lesson.rate > 0.0 { lesson.rate } else { lesson.pace };
    let shut = until.since(now).as_secs_f64();
    // What refills until the gate opens is given out then, less one, so that the next does not meet an empty bucket.
    let refilled = (shut * rate).min(pace::burst(words));
    let credit = from_seconds((refilled - 1.0).max(1.0) / lesson.pace);
    words.set(Word::Used, until.before(credit).as_nanos());
    let over = lesson.over.max(FEW);
    let wasted = (shut - pace::burst(words) / rate).max(0.0);
    let hold = (over * HOLD / rate).min(MOST_SECONDS.max(MOST_SLOTS / rate));
    let hold = hold.max(wasted * PRICE.min(over * PRICE_PER_ANSWER));
    words.set(Word::ProbeAt, until.after(from_seconds(hold).min(LONGEST_HOLD)).as_nanos());
}

/// What is known when a request is refused.
struct Known {
    pace: f64,
    rate: f64,
    all: Since,
    /// What the refused request costs.
    one: f64,
    /// Nobody else takes from the bucket, as far as refusals have told.
    alone: bool,
    /// The slowest pace.
    least: f64,
}

fn lesson(words: &Words, ticket: &Ticket) -> Lesson {
    let Some(pace) = pace::pace(words) else { return first_lesson(words, ticket) };
    let rate = words.number(Word::Rate);
    let last = Timestamp::from_nanos(words.get(Word::Unexpected));
    let known = Known {
        pace,
        rate: if rate > 0.0 { rate.clamp(PACES.0, PACES.1) } else { pace },
        all: Since::empty(words, ticket),
        one: cost(ticket.units),
        alone: last == Timestamp::default() || ticket.sent_at.since(last) > SHARED,
        // Of costs nobody knows what the next one is.
        least: if ticket.units == ONE { 1.0 / SLOWEST } else { PACES.0 },
    };
    match Mode::read(words) {
        Mode::Probe => {
            let found = known.measure(words, ticket, true);
            // One that finds no more confirms what is known.
            let over = if found.rate < known.rate { known.all.accepted } else { found.over };
            known.hold(Measured { rate: known.rate.max(found.rate), over }, false)
        }
        Mode::Hold => known.unexpected(words, ticket),
        _ if known.is_few() => known.too_soon(),
        _ => known.hold(known.measure(words, ticket, true), false),
    }
}

/// Before the first refusal nothing was paced: what was accepted says how large the bucket is, and hardly more.
fn first_lesson(words: &Words, ticket: &Ticket) -> Lesson {
    let since = Timestamp::from_nanos(words.get(Word::BusySince));
    let took = ticket.sent_at.since(since);
    let sent = ticket.serial.saturating_sub(ticket.units).saturating_sub(words.get(Word::BusySent));
    let one = cost(ticket.units);
    // Those that came first may have overtaken this one.
    let accepted = cost(sent.saturating_sub(words.get(Word::Refused))).max(one);
    words.set(Word::FirstTook, crate::time::nanos(took));
    let pace = (accepted + one) / took.max(LEAST_BURST).as_secs_f64() * HALF;
    let shut = from_seconds(took.as_secs_f64() * BURST_PART).clamp(LEAST_BURST, MAX_BARE_SHUT);
    let pace = pace.clamp(PACES.0, PACES.1);
    Lesson { rate: 0.0, pace, mode: Mode::Climb, unexpected: false, over: 0.0, shut, nothing: false }
}

impl Known {
    fn is_few(&self) -> bool {
        self.all.accepted < self.one * FEW
    }

    fn measure(&self, words: &Words, ticket: &Ticket, climbed: bool) -> Measured {
        let all = Measured { rate: self.all.rate_with(0.0), over: self.all.accepted };
        if self.is_few() {
            return Measured { rate: self.all.rate_with(self.one / 2.0), ..all };
        }
        if !self.alone {
            // How full the bucket was at a mark, and how much it holds, is not known then.
            return Measured { rate: all.rate.min(ticket.pace), ..all };
        }
        let found = measure::measure(words, ticket, &self.all);
        if climbed && pace::burst_at(words, found.rate) < NO_BURST {
            return Measured { rate: found.rate.max(ticket.pace * AT_PACE), ..found };
        }
        found
    }

    /// Holds a little below a rate; the less, the better it is known.
    fn hold(&self, found: Measured, unexpected: bool) -> Lesson {
        let rate = found.rate.clamp(PACES.0, PACES.1);
        let below = (1.0 - self.one / 2.0 / (self.all.accepted + self.one)).min(BELOW);
        let pace = (rate * below).max(self.least);
        let over = found.over / self.one;
        Lesson { rate, pace, mode: Mode::Hold, unexpected, over, shut: slots(pace), nothing: false }
    }

    /// Refused while the pace was held: by a stranger, or the rate has changed. The second time it is measured.
    fn unexpected(&self, words: &Words, ticket: &Ticket) -> Lesson {
        let found = self.measure(words, ticket, false);
        let shrunk = self.rate * SHRINK;
        if words.get(Word::Unexpected) != words.get(Word::EmptyAt) {
            return self.hold(Measured { rate: shrunk.max(found.rate.min(self.rate)), ..found }, true);
        }
        if self.is_few() {
            return Lesson { rate: self.rate, unexpected: true, ..self.too_soon() };
        }
        let wasted = (measure::shut(words) - pace::burst(words) / self.rate).max(0.0);
        let since = Since { seconds: (self.all.seconds - wasted).max(f64::EPSILON), ..self.all };
        let most = since.rate_with(self.one);
        self.hold(Measured { rate: most.clamp(self.rate * HALF, shrunk), ..found }, true)
    }

    /// Refused again with next to nothing accepted between: the pace falls fast, but not below what refusals so far
    /// apart can tell. Half a request more may have been refilled; where none was, nearly a whole one.
    fn too_soon(&self) -> Lesson {
        let nothing = self.all.accepted < self.one * HALF;
        let most = self.all.rate_with(if nothing { self.one } else { self.one / 2.0 });
        let least = self.pace.min(self.one / 2.0 / self.all.seconds);
        let pace = (self.pace * HALF).max(least).min(most).clamp(self.least, PACES.1);
        Lesson {
            rate: pace,
            pace,
            mode: Mode::Climb,
            unexpected: false,
            over: 0.0,
            shut: slots(pace),
            nothing,
        }
    }
}

#[cfg(test)]
mod tests;
