use std::time::Duration;

use super::{super::*, *};
use crate::options::{Options, Settings};

const T: u64 = 1_000_000_000_000;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_nanos(T + millis * 1_000_000)
}

fn millis(at: Timestamp) -> u64 {
    (at.as_nanos() - T).div_ceil(1_000_000)
}

fn settings() -> Settings {
    Options::default().validate().unwrap()
}

const ONE: Ask = Ask { cost: None, tokens: 1.0 };

fn quota(kind: Kind, limit: u64, remaining: u64, reset: Duration) -> Quota {
    Quota {
        id: 7,
        unit: Unit::Requests,
        limit: Some(limit),
        remaining,
        reset: Some(reset),
        kind,
        window: None,
        coarse: false,
    }
}

fn tokens(quota: Quota) -> Quota {
    Quota { unit: Unit::Tokens, ..quota }
}

fn bucket(limit: u64, remaining: u64, reset: u64) -> Quota {
    quota(Kind::Full, limit, remaining, Duration::from_millis(reset))
}

fn window(limit: u64, remaining: u64, reset: u64, length: u64) -> Quota {
    let window = Some(Duration::from_millis(length));
    Quota { window, ..quota(Kind::Window, limit, remaining, Duration::from_millis(reset)) }
}

#[derive(Default)]
struct Key(Words);

impl Key {
    fn knows(&self) -> Knowledge<'_> {
        Knowledge { scope: &self.0, account: None, tag: 0, given: &[] }
    }

    fn waiter() -> Waiter {
        Waiter::new(&settings(), Class::Alone, None)
    }

    fn try_send(&self, ask: &Ask, now: Timestamp) -> Next {
        Self::waiter().next(&self.knows(), ask, 0, now)
    }

    fn send(&self, ask: &Ask, now: Timestamp) -> Ticket {
        match self.try_send(ask, now) {
            Next::Send(ticket) => ticket,
            other => panic!("{other:?}"),
        }
    }

    fn answer(&self, ticket: &Ticket, what: What, quotas: &[Quota], now: Timestamp) {
        let seen = Seen { what, quotas, in_flight: None };
        observe(&self.knows(), ticket, &seen, now);
    }

    fn accept(&self, ticket: &Ticket, quota: Quota, now: Timestamp) {
        self.answer(ticket, What::Accepted, &[quota], now);
    }

    fn due(&self, now: Timestamp) -> Option<u64> {
        due(&self.0, &ONE, now).map(|(due, _)| millis(due))
    }

    /// When one call is let through that asks again whenever it is told to.
    fn patience(&self, ask: &Ask, from: Timestamp) -> (Timestamp, Ticket) {
        let (mut waiter, mut now) = (Self::waiter(), from);
        loop {
            match waiter.next(&self.knows(), ask, 0, now) {
                Next::Send(ticket) => return (now, ticket),
                Next::Wait { until } => now = until.max(now.after(Duration::from_nanos(1))),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn nothing_is_held_back_before_a_header_came() {
    let key = Key::default();
    for _ in 0..1000 {
        let ticket = key.send(&ONE, at(0));
        key.answer(&ticket, What::Accepted, &[], at(20));
    }
    assert_eq!(key.due(at(20)), None);
}

#[test]
fn a_bucket_is_used_as_it_refills() {
    let key = Key::default();
    let tickets: Vec<Ticket> = (0..10).map(|_| key.send(&ONE, at(0))).collect();
    key.accept(&tickets[9], bucket(10, 0, 1000), at(20));
    // Full at 1020, so 8 of 10 slots of 100 ms before; one stays in it, and 2 ms for the way.
    assert_eq!(key.due(at(20)), Some(222));
    let (sent, _) = key.patience(&ONE, at(20));
    assert_eq!(millis(sent), 222);
    assert_eq!(key.due(at(222)), Some(322));
    // Answers that were under way meanwhile say the same and change nothing.
    key.accept(&tickets[8], bucket(10, 0, 1000), at(40));
    assert!(key.due(at(222)) >= Some(322));
}

#[test]
fn an_older_answer_never_raises_and_a_newer_one_only_slowly() {
    let key = Key::default();
    let old = key.send(&ONE, at(0));
    let new = key.send(&ONE, at(0));
    key.accept(&new, bucket(10, 0, 1000), at(20));
    assert_eq!(key.due(at(20)), Some(222));
    key.accept(&old, bucket(10, 9, 100), at(21));
    assert_eq!(key.due(at(21)), Some(222));
    let (_, newest) = key.patience(&ONE, at(20));
    // Full at 1120 by what is known, at 342 by this: an eighth of the difference.
    key.accept(&newest, bucket(10, 9, 100), at(242));
    assert_eq!(key.due(at(242)), None);
    assert_eq!(due(&key.0, &ONE, at(222)).map(|(due, _)| millis(due)), Some(225));
}

#[test]
fn the_rate_stays_between_what_whole_numbers_allow() {
    for (known, used, reset, rate) in [
        (None, 2.0, 0.1, Some(20.0)),
        (None, 0.0, 0.1, None),
        (Some(50.0), 40.0, 0.8, Some(50.0)),
        // 39 to 40 of 50 in a second and a half are 25 to 27 a second.
        (Some(50.0), 40.0, 1.5, Some(40.0 / 1.499)),
        (Some(20.0), 40.0, 1.5, Some(39.0 / 1.501)),
        (Some(20.0), 0.0, 1.5, Some(20.0)),
    ] {
        assert_eq!(bucket::rate_of(used, reset, known), rate, "{known:?} {used} {reset}");
    }
}

#[test]
fn whole_seconds_only_choose_the_unit() {
    for (limit, reset, window, rate) in [
        (300, 7, None, 5.0),
        (300, 7, Some(60), 5.0),
        (10, 1, None, 10.0),
        (3600, 61, None, 1.0),
        (86_400, 3601, None, 1.0),
    ] {
        let (window, reset) = (window.map(Duration::from_secs), Duration::from_secs(reset));
        let told = Quota { coarse: true, window, ..quota(Kind::Full, limit, 0, reset) };
        let key = Key::default();
        key.accept(&key.send(&ONE, at(0)), told, at(0));
        let (_, place, _) = places(&key.0).next().unwrap();
        assert_eq!(place.sizes(), (limit as f64, rate), "{told:?}");
    }
}

#[test]
fn a_window_is_spent_and_begins_anew() {
    let key = Key::default();
    key.accept(&key.send(&ONE, at(0)), window(3, 2, 1500, 4000), at(10));
    key.send(&ONE, at(10));
    key.send(&ONE, at(10));
    assert_eq!(key.due(at(10)), Some(1512));
    // By a clock the next one ends at 5510, by its first request at 5512.
    for from in [20, 1512, 1512] {
        assert_eq!(millis(key.patience(&ONE, at(from)).0), 1512);
    }
    assert_eq!(millis(key.patience(&ONE, at(1512)).0), 5514);
}

#[test]
fn one_left_is_one() {
    let key = Key::default();
    key.accept(&key.send(&ONE, at(0)), window(3, 1, 1500, 4000), at(10));
    assert_eq!((key.due(at(10)), key.due(at(10))), (None, None));
    assert_eq!(take(&key.0, &ONE, at(10)), Ok(()));
    assert_eq!(take(&key.0, &ONE, at(10)), Err((at(1512), 0)));
}

#[test]
fn of_a_window_that_nobody_knows_the_length_of_the_end_is_all_that_is_known() {
    let key = Key::default();
    let told = Quota { window: None, ..window(3, 0, 1500, 0) };
    key.accept(&key.send(&ONE, at(0)), told, at(0));
    assert_eq!(key.due(at(0)), Some(1502));
    assert_eq!(key.due(at(1502)), None);
    // Two ends: the length.
    key.accept(&key.send(&ONE, at(1502)), Quota { window: None, ..window(3, 0, 3998, 0) }, at(1502));
    assert_eq!(key.due(at(1502)), Some(5502));
    assert_eq!(millis(key.patience(&ONE, at(5502)).0), 5502);
    key.patience(&ONE, at(5502));
    key.patience(&ONE, at(5502));
    assert_eq!(key.due(at(5502)), Some(9504));
}

#[test]
fn a_whole_second_is_late_by_up_to_one() {
    let key = Key::default();
    let told = |remaining, reset: u64| Quota { coarse: true, ..window(40, remaining, reset, 4000) };
    let (first, second) = (key.send(&ONE, at(0)), key.send(&ONE, at(700)));
    key.accept(&first, told(39, 2000), at(20));
    key.accept(&second, told(0, 1000), at(720));
    // The earliest of 2020 and 1720.
    assert_eq!(key.due(at(720)), Some(1722));
}

#[test]
fn several_limits_the_slowest_governs() {
    let key = Key::default();
    let ticket = key.send(&ONE, at(0));
    let minute = Quota { id: 8, ..window(10, 0, 5000, 60_000) };
    key.answer(&ticket, What::Accepted, &[bucket(10, 0, 1000), minute], at(0));
    assert_eq!(key.due(at(0)), Some(5002));
    assert_eq!(due(&key.0, &ONE, at(0)).map(|(_, place)| place), Some(1));
    // What was taken of the bucket is given back.
    let full = |key: &Key| places(&key.0).next().unwrap().1.get(place::LEFT);
    let before = full(&key);
    assert!(take(&key.0, &ONE, at(900)).is_err());
    assert_eq!(full(&key), before);
}

#[test]
fn what_tokens_cost_is_learned() {
    let key = Key::default();
    let ask = Ask { cost: None, tokens: 100.0 };
    let told = tokens(window(1000, 900, 5000, 60_000));
    for _ in 0..64 {
        let ticket = key.send(&ask, at(0));
        let seen = Seen { what: What::Accepted, quotas: &[], in_flight: None };
        observe(&key.knows(), &ticket, &seen, at(0));
        spent(&key.0, &ticket, 300.0);
    }
    assert_eq!(super::tokens(&key.0, &ask), 297.0);
    assert_eq!(super::tokens(&key.0, &Ask { cost: Some(40.0), ..ask }), 40.0);
    key.accept(&key.send(&ask, at(0)), told, at(0));
    for cost in [f64::NAN, -5.0, 0.0] {
        assert_eq!(super::tokens(&key.0, &Ask { cost: Some(cost), ..ask }), 1.0);
    }
    assert_eq!(super::tokens(&key.0, &Ask { cost: Some(f64::INFINITY), ..ask }), 1e12);
    // 900 are left: three times 297, and 9.
    for _ in 0..3 {
        key.send(&ask, at(0));
    }
    assert!(matches!(key.try_send(&ask, at(0)), Next::Wait { .. }));
    key.send(&Ask { cost: Some(9.0), ..ask }, at(0));
}

#[test]
fn no_header_holds_a_call_for_longer_than_it_waits() {
    let month = 31 * 86_400_000 - 1;
    for told in [
        window(0, 0, 23 * 3_600_000, 0),
        window(u64::MAX, 0, month, month),
        window(60, 0, month, 60_000),
        bucket(1, 0, month),
        bucket(u64::MAX, 0, month),
        bucket(5, 0, month),
        Quota { coarse: true, ..bucket(5, 0, month) },
        Quota { limit: None, ..window(0, 0, month, 0) },
        tokens(bucket(u64::MAX, 3, month)),
    ] {
        let key = Key::default();
        key.accept(&key.send(&ONE, at(0)), told, at(0));
        let (sent, ticket) = key.patience(&ONE, at(0));
        assert!(sent <= at(30_000), "{told:?} {sent:?}");
        // An answer that says the same again refutes it.
        key.accept(&ticket, told, sent);
        assert_eq!(key.due(sent), None, "{told:?}");
        key.accept(&key.send(&ONE, sent), told, sent);
        assert_eq!(key.due(sent), None, "{told:?}");
    }
}

#[test]
fn what_was_refuted_is_believed_again_when_it_says_something_else() {
    let key = Key::default();
    let told = |limit| window(limit, 0, 3_600_000, 3_600_000);
    key.accept(&key.send(&ONE, at(0)), told(60), at(0));
    let (sent, scout) = key.patience(&ONE, at(0));
    assert_eq!(millis(sent), 30_000);
    // Refused: it is true, and the next one waits as long again.
    key.answer(&scout, What::Refused { wish: None }, &[told(60)], sent);
    let (sent, scout) = key.patience(&ONE, sent);
    assert_eq!(millis(sent), 60_000);
    key.accept(&scout, told(60), sent);
    let other = key.send(&ONE, sent);
    key.accept(&other, told(70), sent);
    assert_eq!(key.due(sent), Some(3_660_002));
}

#[test]
fn a_refusal_that_the_header_accounts_for_teaches_no_pace() {
    let key = Key::default();
    key.accept(&key.send(&ONE, at(0)), bucket(10, 9, 100), at(0));
    key.answer(&key.send(&ONE, at(0)), What::Refused { wish: None }, &[bucket(10, 0, 1000)], at(0));
    assert_eq!(pace::pace(&key.0), None);
    assert_eq!(key.due(at(0)), Some(202));
    key.answer(&key.send(&ONE, at(300)), What::Refused { wish: None }, &[bucket(10, 5, 500)], at(300));
    assert!(pace::pace(&key.0).is_some());
}

#[test]
fn garbage_neither_stalls_nor_opens_for_long() {
    let mut random = 1_u64;
    let mut next = || {
        // Knuth's MMIX generator.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        random.rotate_left(32)
    };
    for round in 0..2000 {
        let key = Key::default();
        for word in 0..Word::QUOTAS * Word::QUOTA_WORDS {
            let value = match round % 4 {
                0 => next(),
                1 => u64::MAX,
                2 => next() | 7 << 48,
                _ => pack_near(next()),
            };
            key.0.set_at(Word::Quotas as usize + word, value);
        }
        key.0.set(Word::Tokens, next());
        key.0.set(Word::TokenRatio, next());
        let (sent, ticket) = key.patience(&ONE, at(0));
        assert!(sent <= at(30_000));
        key.accept(&ticket, window(3, 0, 1500, 4000), sent);
    }
}

fn pack_near(value: u64) -> u64 {
    gate::pack((value >> 48) as u16, at(value % 100_000))
}

#[test]
fn a_place_that_nobody_tells_of_is_given_away() {
    let key = Key::default();
    for id in 1..=5 {
        key.accept(&key.send(&ONE, at(0)), Quota { id, ..bucket(100, 99, 10) }, at(0));
    }
    let ids = || places(&key.0).map(|(_, _, head)| head.id).collect::<Vec<_>>();
    assert_eq!(ids(), [1, 2, 3, 4]);
    let later = at(3_600_001);
    key.accept(&key.send(&ONE, later), Quota { id: 5, ..bucket(100, 99, 10) }, later);
    assert_eq!(ids(), [5, 2, 3, 4]);
}

#[test]
fn of_many_at_once_no_more_go_than_are_left() {
    for (told, most) in [(window(1000, 500, 60_000, 60_000), 500), (bucket(1000, 500, 60_000), 489)] {
        let key = Key::default();
        key.accept(&key.send(&ONE, at(0)), told, at(0));
        let sent: usize = std::thread::scope(|scope| {
            let taker = || (0..200).filter(|_| take(&key.0, &ONE, at(0)).is_ok()).count();
            let takers: Vec<_> = (0..8).map(|_| scope.spawn(taker)).collect();
            takers.into_iter().map(|taker| taker.join().unwrap()).sum()
        });
        // A hundredth of a large bucket stays in it, and what refills in 2 ms.
        assert_eq!(sent, most, "{told:?}");
    }
}

#[test]
fn whoever_is_killed_between_two_words_leaves_no_more_than_one_window() {
    // What the answer wrote, up to each of its stores.
    let writes = |key: &Key| {
        let words = |place: Place<'_>| [3, 1, 2].map(|word| (word, place.get(word)));
        words(Place::new(&key.0, 0))
    };
    let told = |key: &Key, remaining, now| {
        key.accept(&key.send(&ONE, now), window(5, remaining, 1500, 4000), now);
    };
    for cut in 0..=3 {
        let (key, other) = (Key::default(), Key::default());
        told(&key, 0, at(0));
        told(&other, 0, at(0));
        told(&other, 3, at(4000));
        for (word, value) in writes(&other).into_iter().take(cut) {
            Place::new(&key.0, 0).set(word, value);
        }
        let sent = (0..20).filter(|_| take(&key.0, &ONE, at(4000)).is_ok()).count();
        assert!(sent <= 5, "{cut} {sent}");
        assert!(key.due(at(4000)).is_none_or(|due| due <= 8004), "{cut}");
    }
}
