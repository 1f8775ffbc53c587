//! A mapping that other processes have written anything to, and calls that go by it.
//!
//! The bytes are: how the memory begins, what the call is like, then steps. A step is a call that waits until it may
//! send, what came of a request, time that passes, a word that another process writes, or a look at an absurd time.
#![no_main]

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use arbitrary::{Result, Unstructured};
use fuzz::{Call, End, LONGEST_BARE_GATE, LONGEST_GATE, LONGEST_RESET, report, settings, show};
use libfuzzer_sys::fuzz_target;
use policy::{
    Timestamp,
    limit::Rule,
    pacing::{self, Ask, Class, Given, Knowledge, Next, Seen, Ticket, WORDS, Waiter, What, Words},
    quota_headers::{Kind, Quota, Unit},
};

const MOST_STEPS: usize = 40;
const MOST_TICKETS: usize = 4;
const MOST_COST: f64 = 100.0;
/// The last instant that 48 bits of microseconds hold, less the longest reset: a machine that runs for 8.9 years.
const LATEST: u64 = (1 << 48) * 1000 - LONGEST_RESET.as_nanos() as u64;
/// As the gate's word cuts instants.
const MICROS: Duration = Duration::from_micros(1);

type Memory = [AtomicU64; WORDS];

fuzz_target!(|data: &[u8]| {
    // It ends where the bytes end.
    let _ = run(&mut Unstructured::new(data));
});

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let mut now = Timestamp::from_nanos(*u.choose(&[1, 1 << 30, 1 << 40, 1 << 50, 1 << 55])?);
    let scope = memory(u, now)?;
    let account = if u.arbitrary()? { Some(memory(u, now)?) } else { None };
    let rules: Vec<Rule> = (0..u.int_in_range(0..=2)?).map(|_| rule(u)).collect::<Result<_>>()?;
    let rings: Vec<Vec<AtomicU64>> = rules.iter().map(|rule| ring(rule, u, now)).collect::<Result<_>>()?;
    let given: Vec<Given<'_>> = rules.iter().zip(&rings).map(|(rule, words)| Given { rule, words }).collect();
    let known = Knowledge {
        scope: as_words(&scope),
        account: account.as_ref().map(as_words),
        tag: u.arbitrary()?,
        given: &given,
    };
    let settings =
        settings(f64::from(*u.choose(&[30_u16, 30, 30, 0, 1, 600])?), i64::from(u.int_in_range(1..=6_u8)?));
    show(format_args!(
        "{rules:?}, patience {:?}, {} attempts",
        settings.max_retry_after, settings.max_attempts
    ));
    let mut tickets = Vec::new();
    for _ in 0..MOST_STEPS {
        match u.int_in_range(0..=9_u8)? {
            0..=2 => {
                let class = *u.choose(&[Class::Batch, Class::Web, Class::Alone])?;
                let deadline = if u.arbitrary()? { Some(now.after(span(u)?)) } else { None };
                let ask = ask(&rules, u)?;
                let attempts = u.int_in_range(0..=5)?;
                let mut waiter = Waiter::new(&settings, class, deadline);
                if u.arbitrary()? {
                    waiter.was_refused(now);
                }
                show(format_args!("{class:?} call, {ask:?}, deadline {deadline:?}"));
                let call = Call { known: &known, settings: &settings, ask: &ask, class, attempts, deadline };
                let (end, at) = call.wait(&mut waiter, now);
                now = at;
                if let End::Sent(ticket) = end {
                    sound(&ticket);
                    tickets.truncate(MOST_TICKETS - 1);
                    tickets.push(ticket);
                }
            }
            3..=5 => {
                now = now.after(span(u)?);
                if !tickets.is_empty() {
                    let ticket = *u.choose(&tickets)?;
                    answer(u, &known, &ticket, now)?;
                }
            }
            6 => now = now.after(span(u)?),
            7 | 8 => write(u, now, &scope, account.as_ref(), &rings)?,
            _ => absurd(u, &known, &settings)?,
        }
        report(known.scope, now);
        if let Some(words) = known.account {
            report(words, now);
        }
    }
    Ok(())
}

/// As the client sees the words in the file that is mapped.
fn as_words(memory: &Memory) -> &Words {
    // SAFETY: `Words` is `repr(transparent)` around this type.
    unsafe { &*std::ptr::from_ref(memory).cast::<Words>() }
}

/// Nothing is known, some words are anything, or all are.
fn memory(u: &mut Unstructured<'_>, now: Timestamp) -> Result<Memory> {
    let memory: Memory = [const { AtomicU64::new(0) }; WORDS];
    match u.int_in_range(0..=2_u8)? {
        0 => {}
        1 => {
            for _ in 0..u.int_in_range(1..=12)? {
                let (index, word) = (u.int_in_range(0..=WORDS - 1)?, word(u, now)?);
                show(format_args!("word {index} is {word:#x}"));
                memory[index].store(word, Relaxed);
            }
        }
        _ => {
            for place in &memory {
                place.store(u.arbitrary()?, Relaxed);
            }
            show(format_args!("words {memory:x?}"));
        }
    }
    Ok(memory)
}

/// Another process writes a word.
fn write(
    u: &mut Unstructured<'_>,
    now: Timestamp,
    scope: &Memory,
    account: Option<&Memory>,
    rings: &[Vec<AtomicU64>],
) -> Result<()> {
    let all = [&scope[..]].into_iter().chain(account.map(|words| &words[..]));
    let all: Vec<&[AtomicU64]> =
        all.chain(rings.iter().map(Vec::as_slice)).filter(|words| !words.is_empty()).collect();
    let words = *u.choose(&all)?;
    let (index, word) = (u.choose_index(words.len())?, word(u, now)?);
    show(format_args!("{now:?} word {index} of {} becomes {word:#x}", words.len()));
    words[index].store(word, Relaxed);
    Ok(())
}

/// A word that is near to one that means something.
fn word(u: &mut Unstructured<'_>, now: Timestamp) -> Result<u64> {
    let near = |u: &mut Unstructured<'_>| {
        let away = u64::try_from(span(u)?.as_nanos()).unwrap_or(u64::MAX);
        let now = now.as_nanos();
        Ok(if u.arbitrary()? { now.saturating_add(away) } else { now.saturating_sub(away) })
    };
    Ok(match u.int_in_range(0..=9_u8)? {
        0 => 0,
        1 => u64::MAX,
        2 => u.arbitrary()?,
        3 => u64::from(u.arbitrary::<u8>()?),
        4 => near(u)?,
        5 => (u64::from(u.arbitrary::<u16>()?) << 48) | (near(u)? / 1000),
        6 => number(u)?.to_bits(),
        7 => {
            let [one, other] =
                [number(u)? as f32, number(u)? as f32].map(|number| u64::from(number.to_bits()));
            (one << 32) | other
        }
        8 => (u64::from(u.arbitrary::<u16>()?) << 48) | u64::from(u.arbitrary::<u16>()?),
        // The head of a quota.
        _ => (u64::from(u.arbitrary::<u32>()?) << 32) | u64::from(u.arbitrary::<u8>()?),
    })
}

/// Of any size, seldom none at all.
fn number(u: &mut Unstructured<'_>) -> Result<f64> {
    Ok(match u.arbitrary::<u8>()? {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => f64::NEG_INFINITY,
        3 => f64::from_bits(u.arbitrary()?),
        mantissa => f64::from(mantissa) * 10_f64.powi(i32::from(u.arbitrary::<i8>()?).saturating_mul(3)),
    })
}

/// From nothing to 52 days, most of them short.
fn span(u: &mut Unstructured<'_>) -> Result<Duration> {
    let mantissa = u64::from(u.arbitrary::<u16>()?);
    Ok(Duration::from_nanos(mantissa << u.int_in_range(0..=36_u8)?))
}

/// A whole burst takes days at most, so that time does not get beyond what the words can hold.
fn rule(u: &mut Unstructured<'_>) -> Result<Rule> {
    let count = u32::from(u.int_in_range(1..=40_u16)?);
    let period = Duration::from_millis(*u.choose(&[1, 100, 1000, 4000, 60_000, 3_600_000, 86_400_000])?);
    Ok(match u.int_in_range(0..=2_u8)? {
        0 => Rule::Rate { count, period, burst: u32::from(u.int_in_range(1..=40_u8)?) },
        1 => Rule::Window { count, period },
        _ => Rule::Concurrency(count),
    })
}

/// As many words as the rule has, and what is in them.
fn ring(rule: &Rule, u: &mut Unstructured<'_>, now: Timestamp) -> Result<Vec<AtomicU64>> {
    let count = match *rule {
        Rule::Rate { .. } => 1,
        Rule::Window { count, .. } => count,
        Rule::Concurrency(_) => 0,
    };
    let zeros = u.arbitrary()?;
    (0..count)
        .map(|_| if zeros { Ok(0) } else { word(u, now) })
        .map(|word| word.map(AtomicU64::new))
        .collect()
}

/// What the options allow: a cost above 0 and no more than a burst.
fn ask(rules: &[Rule], u: &mut Unstructured<'_>) -> Result<Ask> {
    let most = rules.iter().filter_map(Rule::max_cost).map(f64::from).fold(MOST_COST, f64::min);
    let cost = u.ratio(1, 3)?.then(|| number(u)).transpose()?;
    let cost = cost.map(|cost| if cost.is_nan() { most } else { cost.clamp(1e-9, most) });
    Ok(Ask { cost, tokens: f64::from(u.arbitrary::<u16>()?) })
}

/// Its numbers are finite.
fn sound(ticket: &Ticket) {
    let shown = format!("{ticket:?}");
    assert!(!shown.contains("NaN") && !shown.contains("inf"), "{shown}");
}

fn answer(u: &mut Unstructured<'_>, known: &Knowledge<'_>, ticket: &Ticket, now: Timestamp) -> Result<()> {
    let wish = u.arbitrary::<bool>()?.then(|| span(u)).transpose()?.filter(|wish| !wish.is_zero());
    let what = match u.int_in_range(0..=3_u8)? {
        0 => What::Accepted,
        1 => What::Refused { wish },
        2 => What::Overloaded { wish: wish.unwrap_or(Duration::MAX) },
        _ => What::Nothing,
    };
    let quotas: Vec<Quota> = (0..u.int_in_range(0..=3)?).map(|_| quota(u)).collect::<Result<_>>()?;
    let cost = u.ratio(1, 4)?.then(|| number(u)).transpose()?;
    let in_flight = u.arbitrary::<bool>()?.then(|| u.arbitrary()).transpose()?;
    let before = report(known.scope, now).shut;
    let seen = Seen { what, quotas: &quotas, in_flight };
    show(format_args!("{now:?} {ticket:?} {seen:?}"));
    pacing::observe(known, ticket, &seen, now);
    if let Some(cost) = cost {
        pacing::spent(known.scope, ticket, cost);
    }
    let after = report(known.scope, now).shut;
    let longest = match what {
        What::Accepted | What::Nothing => Duration::ZERO,
        What::Refused { wish } => wish.unwrap_or(LONGEST_BARE_GATE),
        What::Overloaded { wish } => wish,
    };
    let longest = longest.min(LONGEST_GATE).saturating_add(MICROS).max(before);
    assert!(after <= longest, "{what:?} shuts the gate for {after:?}, it was shut for {before:?}");
    Ok(())
}

/// Any that can be read from headers.
fn quota(u: &mut Unstructured<'_>) -> Result<Quota> {
    let count = |u: &mut Unstructured<'_>| {
        Ok(if u.ratio(1, 8)? { u.arbitrary()? } else { u64::from(u.arbitrary::<u8>()?) })
    };
    let remaining = count(u)?;
    let time = |u: &mut Unstructured<'_>| {
        let time = u.arbitrary::<bool>()?.then(|| span(u)).transpose()?;
        Ok(time.filter(|time| !time.is_zero() && *time < LONGEST_RESET))
    };
    let reset = time(u)?;
    Ok(Quota {
        id: u.int_in_range(1..=6)?,
        unit: *u.choose(&[
            Unit::Requests,
            Unit::Requests,
            Unit::Tokens,
            Unit::InputTokens,
            Unit::OutputTokens,
        ])?,
        limit: if u.arbitrary()? { Some(count(u)?.max(remaining)) } else { None },
        remaining,
        reset,
        kind: *u.choose(&[Kind::Full, Kind::Window])?,
        window: time(u)?.map(|time| Duration::from_secs(time.as_secs() + 1)),
        coarse: u.arbitrary::<bool>()? && reset.is_some(),
    })
}

/// Looks and answers at times and of sizes that no call has. Nothing is asked of them but to come back.
fn absurd(u: &mut Unstructured<'_>, known: &Knowledge<'_>, settings: &policy::Settings) -> Result<()> {
    let now = Timestamp::from_nanos(u.arbitrary::<u64>()?.min(LATEST));
    let ask = Ask { cost: u.arbitrary::<bool>()?.then(|| number(u)).transpose()?, tokens: number(u)? };
    let class = *u.choose(&[Class::Batch, Class::Web, Class::Alone])?;
    let deadline = u.arbitrary::<bool>()?.then(|| u.arbitrary().map(Timestamp::from_nanos)).transpose()?;
    show(format_args!("absurd {now:?} {ask:?} {class:?} {deadline:?}"));
    let mut waiter = Waiter::new(settings, class, deadline);
    let _ = waiter.next_place(known, now);
    let _ = known.scope.report(now);
    if let Next::Send(ticket) = waiter.next(known, &ask, u.arbitrary()?, now) {
        let seen = Seen { what: What::Refused { wish: None }, quotas: &[], in_flight: Some(u32::MAX) };
        pacing::observe(known, &ticket, &seen, now);
        if let Some(cost) = ask.cost {
            pacing::spent(known.scope, &ticket, cost);
        }
    }
    Ok(())
}
