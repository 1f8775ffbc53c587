//! What holds of pacing for all calls, at all times.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test: a panic is its failure")]

use std::{sync::atomic::AtomicU64, time::Duration};

use policy::{
    Options, Settings, Timestamp,
    limit::{Limit, Rule},
    pacing::{Ask, Class, Given, Knowledge, Next, Seen, Ticket, Waiter, What, Words, observe},
    quota_headers::{Kind, Quota, Unit},
};
use proptest::prelude::*;

const START: u64 = 1_000_000_000_000_000;
const MILLI: u64 = 1_000_000;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_nanos(START + millis * MILLI)
}

fn settings() -> Settings {
    Options { jitter: 0.0, ..Options::default() }.validate().unwrap()
}

fn ask(cost: f64) -> Ask {
    Ask { cost: Some(cost), tokens: 1.0 }
}

fn scope(words: &Words) -> Knowledge<'_> {
    Knowledge { scope: words, account: None, tag: 0, given: &[] }
}

fn seen(what: What) -> Seen<'static> {
    Seen { what, quotas: &[], in_flight: None }
}

/// Sends as soon as it may, and says when that was.
fn sent(known: &Knowledge<'_>, cost: f64, class: Class, from: Timestamp) -> (Timestamp, Ticket) {
    let mut waiter = Waiter::new(&settings(), class, None);
    let mut now = from;
    loop {
        match waiter.next(known, &ask(cost), 0, now) {
            Next::Send(ticket) => return (now, ticket),
            Next::Wait { until } => {
                assert!(until > now, "a wait that is over already");
                now = until;
            }
            end => panic!("{end:?}"),
        }
    }
}

/// When requests of these costs, each asked for so long after the one before was sent, were let through.
fn let_through(text: &str, asked: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let rule = Limit::parse(text).unwrap().rules.remove(0);
    let count = if let Rule::Window { count, .. } = rule { count } else { 1 };
    let words: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    let (scope, given) = (Words::default(), [Given { rule: &rule, words: &words }]);
    let known = Knowledge { given: &given, ..self::scope(&scope) };
    let mut now = at(0);
    asked
        .iter()
        .map(|(after, cost)| {
            now = sent(&known, *cost, Class::Alone, now.after(Duration::from_millis(*after))).0;
            (now.as_nanos(), *cost)
        })
        .collect()
}

/// The most that was let through in any stretch of `seconds`, beyond what is refilled in it.
fn most(sent: &[(u64, f64)], rate: f64, stretch: Option<u64>) -> f64 {
    let mut most = 0.0_f64;
    for (first, (from, _)) in sent.iter().enumerate() {
        let mut sum = 0.0;
        for (when, cost) in &sent[first..] {
            let passed = when - from;
            if stretch.is_some_and(|stretch| passed >= stretch) {
                break;
            }
            sum += cost;
            most = most.max(sum - rate * passed as f64 / 1e9);
        }
    }
    most
}

/// What is asked for after a window in which all of its limit was sent.
fn next_window(limit: u64) -> Next {
    let words = Words::default();
    let known = scope(&words);
    let one = Ask { cost: None, tokens: 1.0 };
    let minute = Some(Duration::from_secs(60));
    let (_, ticket) = sent(&known, 1.0, Class::Alone, at(0));
    let quota = Quota {
        id: 7,
        unit: Unit::Requests,
        limit: Some(limit),
        remaining: limit - 1,
        reset: minute,
        kind: Kind::Window,
        window: minute,
        coarse: true,
    };
    observe(&known, &ticket, &Seen { quotas: &[quota], ..seen(What::Accepted) }, at(1));
    let ask_at = |now| Waiter::new(&settings(), Class::Alone, None).next(&known, &one, 0, now);
    while let Next::Send(_) = ask_at(at(1)) {}
    ask_at(at(61_000))
}

#[test]
fn a_new_window_is_new_however_much_was_sent() {
    for limit in [100, 30_000, 40_000, 60_000, 70_000] {
        assert!(matches!(next_window(limit), Next::Send(_)), "{limit}");
    }
}

/// Sends one after the other; `answers` says what comes of each. When each was sent.
fn outcomes(
    words: &Words,
    from: Timestamp,
    apart: u64,
    answers: impl IntoIterator<Item = What>,
) -> Vec<Timestamp> {
    let mut now = from;
    let one_by_one = answers.into_iter().map(|what| {
        let (when, ticket) = sent(&scope(words), 1.0, Class::Alone, now);
        observe(&scope(words), &ticket, &seen(what), when);
        now = when.after(Duration::from_millis(apart));
        when
    });
    one_by_one.collect()
}

const BARE: What = What::Refused { wish: None };

/// Promise 3.
#[test]
fn after_an_outage_they_come_back_at_half_of_the_last_good_rate() {
    let words = Words::default();
    let good = outcomes(&words, at(0), 20, vec![What::Accepted; 500]);
    let outage = outcomes(&words, *good.last().unwrap(), 20, vec![BARE; 20]);
    let end = *outage.last().unwrap();
    assert!(end.since(at(10_000)) > Duration::from_secs(20));
    outcomes(&words, end, 20, vec![What::Accepted; 3]);
    let rate = words.report(end).rate.unwrap();
    assert!((10.0..=25.0).contains(&rate), "{rate}");
}

#[test]
fn refusals_that_slowing_down_does_not_end_slow_nobody_down_for_ever() {
    for wish in [None, Some(Duration::from_millis(30))] {
        let refused = What::Refused { wish };
        let words = Words::default();
        let sent =
            outcomes(&words, at(0), 20, (0..200).map(|i| if i % 2 == 0 { refused } else { What::Accepted }));
        let longest = sent.windows(2).map(|two| two[1].since(two[0])).max().unwrap();
        assert!(longest <= Duration::from_secs(8), "{wish:?}: {longest:?}");
    }
}

proptest! {
    #[test]
    fn a_rate_is_never_exceeded(
        asked in prop::collection::vec((prop_oneof![Just(0), 0_u64..3, 0_u64..2000], 0.001..5.0_f64), 1..60)
    ) {
        for (text, rate, burst) in [("20/s burst 5", 20.0, 5.0), ("500/min burst 20", 500.0 / 60.0, 20.0)] {
            let sent = let_through(text, &asked);
            prop_assert!(most(&sent, rate, None) <= burst + 1e-3, "{} {:?}", text, sent);
        }
        let small: Vec<_> = asked.iter().map(|(after, cost)| (*after, cost.min(1.0))).collect();
        prop_assert!(most(&let_through("40/min", &small), 40.0 / 60.0, None) <= 1.0 + 1e-3);
    }

    #[test]
    fn a_window_is_never_exceeded(asked in prop::collection::vec((0_u64..1500, 1_u32..5), 1..80)) {
        let asked: Vec<_> = asked.iter().map(|(after, cost)| (*after / 10, f64::from(*cost))).collect();
        let sent = let_through("7 per 1s", &asked);
        prop_assert!(most(&sent, 0.0, Some(1_000_000_000)) <= 7.0, "{sent:?}");
    }

    /// Promise 1.
    #[test]
    fn an_api_that_never_refuses_is_never_slowed(
        outcomes in prop::collection::vec((0_u64..5000, prop_oneof![Just(What::Accepted), Just(What::Nothing)]), 1..50)
    ) {
        let words = Words::default();
        let mut now = at(0);
        for (after, what) in outcomes {
            now = now.after(Duration::from_millis(after));
            let (when, ticket) = sent(&scope(&words), 1.0, Class::Batch, now);
            prop_assert_eq!(when, now);
            observe(&scope(&words), &ticket, &seen(what), now);
        }
    }

    /// Promise 2.
    #[test]
    fn a_refusal_holds_back_the_others_as_long_as_it_says(wish in 1_u64..100_000, asked in 0_u64..30_000) {
        let words = Words::default();
        let known = scope(&words);
        let (_, ticket) = sent(&known, 1.0, Class::Batch, at(0));
        let refused = What::Refused { wish: Some(Duration::from_millis(wish)) };
        observe(&known, &ticket, &seen(refused), at(0));
        let asked = asked.min(wish);
        let (when, _) = sent(&known, 1.0, Class::Batch, at(asked));
        // Its own cap of 30 s counts from when it asked.
        prop_assert!(when >= at(wish.min(asked + 30_000)));
        prop_assert!(when <= at(wish.min(asked + 30_000)).after(Duration::from_secs(2)));
    }

    #[test]
    fn news_of_old_requests_changes_no_rate(
        echoes in prop::collection::vec(prop::option::of(1_u64..20_000), 1..20), apart in 0_u64..50
    ) {
        let words = Words::default();
        let known = scope(&words);
        let tickets: Vec<_> = (0..=echoes.len()).map(|_| sent(&known, 1.0, Class::Batch, at(0)).1).collect();
        observe(&known, &tickets[0], &seen(What::Refused { wish: None }), at(20));
        let rate = words.report(at(20)).rate;
        prop_assert!(rate.is_some());
        for (ticket, wish) in tickets[1..].iter().zip(echoes) {
            let wish = wish.map(Duration::from_millis);
            let now = at(20 + apart);
            let before = words.report(now).shut;
            observe(&known, ticket, &seen(What::Refused { wish }), now);
            prop_assert_eq!(words.report(now).rate, rate);
            // It never opens the gate earlier, and what it names counts.
            prop_assert!(words.report(now).shut >= before.max(wish.unwrap_or_default()));
        }
    }

    /// A call is over after as many waits as attempts, and has sent no more than these.
    #[test]
    fn an_endless_refusal_ends_the_call(wish in 31_u64..3600, others in 0_usize..3) {
        let words = Words::default();
        let known = scope(&words);
        let refused = What::Refused { wish: Some(Duration::from_secs(wish)) };
        let (_, ticket) = sent(&known, 1.0, Class::Batch, at(0));
        observe(&known, &ticket, &seen(refused), at(0));
        let mut waiters: Vec<_> = (0..=others)
            .map(|_| (Waiter::new(&settings(), Class::Batch, None), 0_u32, at(0), false))
            .collect();
        for _ in 0..1_000_000 {
            let Some((waiter, attempts, due, over)) =
                waiters.iter_mut().filter(|(_, _, _, over)| !over).min_by_key(|(_, _, due, _)| *due)
            else { break };
            let now = *due;
            match waiter.next(&known, &ask(1.0), *attempts, now) {
                Next::Send(ticket) => {
                    *attempts += 1;
                    observe(&known, &ticket, &seen(refused), now);
                    waiter.was_refused(now);
                    *due = now.after(Duration::from_secs(30));
                    *over = *attempts == 5;
                }
                Next::Wait { until } => *due = until,
                Next::RateLimited { .. } => *over = true,
                Next::OverBudget { .. } => unreachable!(),
            }
        }
        prop_assert!(waiters.iter().all(|(_, attempts, _, over)| *over && *attempts <= 5));
        let last = waiters.iter().map(|(_, _, due, _)| *due).max().unwrap();
        prop_assert!(last <= at(400_000), "{:?}", last.since(at(0)));
        // One request per 30 s, whoever sends it.
        let sends: u32 = waiters.iter().map(|(_, attempts, _, _)| *attempts).sum();
        prop_assert!(u64::from(sends) <= last.since(at(0)).as_secs() / 30 + 1);
    }
}
