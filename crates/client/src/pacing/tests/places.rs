//! Places among those in flight: who takes them, and who lets others go first.

use std::time::Duration;

use policy::pacing::{Class, Next};

use super::*;
use store::{Label, PlaceKind, Slot};

fn of_class(pacing: &Pacing, limit: &str, class: Class) -> Turn {
    let limits = Limits { class, ..Limits::default() };
    Turn::new(pacing.clone(), &request(""), &settings(Some(limit)), &limits, None)
}

fn is_sent(next: Next) -> bool {
    matches!(next, Next::Send(_))
}

/// How long it is to wait.
fn wait(next: Next, now: Timestamp) -> Duration {
    let Next::Wait { until } = next else { panic!("{next:?}") };
    until.since(now)
}

#[test]
fn a_batch_sleeps_to_its_slot_while_a_page_waits_for_one() {
    let pacing = Pacing::private_to_process();
    let now = now();
    assert!(is_sent(of_class(&pacing, "1/min", Class::Batch).next(0, now)));
    let (mut page, mut batch) =
        (of_class(&pacing, "1/min", Class::Web), of_class(&pacing, "1/min", Class::Batch));
    assert!(wait(page.next(0, now), now) > Duration::from_secs(50));
    // It does not look for a place again and again: none is counted.
    assert!(wait(batch.next(0, now), now) > Duration::from_secs(50));
}

#[test]
fn a_batch_lets_a_page_have_the_next_place() {
    let pacing = Pacing::private_to_process();
    let now = now();
    let turn = |class| of_class(&pacing, "1 at once", class);
    let (mut holder, mut batch, mut page) = (turn(Class::Batch), turn(Class::Batch), turn(Class::Web));
    assert!(is_sent(holder.next(0, now)));
    assert!(wait(batch.next(0, now), now) < Duration::from_millis(30));
    assert!(wait(page.next(0, now), now) < Duration::from_millis(30));
    holder.land();
    assert!(!is_sent(batch.next(0, now)));
    assert!(is_sent(page.next(0, now)));
    drop(page);
    assert!(is_sent(batch.next(0, now.after(Duration::from_secs(1)))));
}

#[test]
fn places_taken_under_another_limit_count_too() {
    let store = Store::local();
    let slot: Slot = store.slot(1, Label::default).unwrap();
    let kind = PlaceKind::Waiting;
    let many: Vec<_> = (0..4).map(|_| slot.place_among_all(kind, u32::MAX).unwrap()).collect();
    for limit in [0, 1, 3, 4] {
        assert!(slot.place_among_all(kind, limit).is_none(), "{limit}");
    }
    drop(many);
    let two = [1, 2].map(|limit| slot.place_among_all(kind, limit).unwrap());
    assert!(slot.place_among_all(kind, 2).is_none());
    drop(two);
    assert_eq!(slot.taken(kind), 0);
}
