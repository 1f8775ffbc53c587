//! A process may be killed between any two steps.

use std::collections::HashSet;

use rand::RngExt;

use super::*;

const KINDS: [PlaceKind; 2] = [PlaceKind::Waiting, PlaceKind::InFlight];

/// Takes all there is, over and over, in an order of its own.
fn work(folder: &Folder) -> ! {
    loop {
        // Its own drops must not be what frees.
        let store = std::mem::ManuallyDrop::new(folder.store());
        for _ in 0..20 {
            let key = random::with(|rng| rng.random_range(0..150));
            let Some(slot) = store.slot(key, || label(key)) else { panic!("150 keys fit") };
            if let Some(ring) = slot.ring(1 + key as u32) {
                ring[0].fetch_add(1, Relaxed);
            }
            let held: Vec<_> =
                KINDS.iter().flat_map(|kind| (0..4).filter_map(|_| slot.place(*kind, 3))).collect();
            assert!(slot.taken(KINDS[0]) + slot.taken(KINDS[1]) >= held.len() as u32);
        }
        drop(std::mem::ManuallyDrop::into_inner(store));
    }
}

fn kill_one(folder: &Folder, most: Duration) {
    let child = Child(forked::start_child(|| work(folder)));
    std::thread::sleep(most.mul_f64(random::with(|rng| rng.random())));
    child.kill();
}

/// What must hold whoever was killed where.
fn check(store: &Store) {
    let keys: Vec<_> = store.slots().collect();
    let words: HashSet<u64> = keys.iter().map(|slot| slot.within().key()).collect();
    assert_eq!(words.len(), keys.len(), "no key twice");
    let mut rings = Vec::new();
    for key in 0..150 {
        let Some(slot) = store.find(key) else { continue };
        let found = slot.label();
        assert!(found == label(key) || found == Label::default(), "{found:?}");
        for kind in KINDS {
            assert_eq!(slot.taken(kind), 0);
            let all: Vec<_> = (0..3).map(|_| slot.place(kind, 3).unwrap()).collect();
            assert!(slot.place(kind, 3).is_none());
            drop(all);
        }
        let ring = slot.ring(1 + key as u32).unwrap();
        rings.push((ring.as_ptr() as usize, ring.as_ptr_range().end as usize));
    }
    rings.sort_unstable();
    assert!(rings.windows(2).all(|pair| pair[0].1 <= pair[1].0), "no ring overlaps another");
    assert_eq!(store.about().processes, 1);
    assert!(!store.about().full);
}

#[test]
fn two_hundred_kills_leave_nothing_taken_and_nothing_broken() {
    let folder = Folder::new();
    let store = folder.store();
    for round in 0..200 {
        kill_one(&folder, Duration::from_millis(8));
        if round % 10 == 0 {
            check(&store);
        }
    }
    check(&store);
    assert!(store.about().keys > 20, "the children came to work");
    for key in 0..150 {
        assert_eq!(slot(&store, key).label(), label(key));
    }
    assert_eq!(store.about().keys, 150);
    assert_eq!(folder.names().len(), 1);
}

#[test]
fn killed_while_the_file_is_made_or_replaced() {
    for round in 0..200 {
        let folder = Folder::new();
        if round % 2 == 0 {
            fs::write(folder.file(), "junk").unwrap();
        }
        kill_one(&folder, Duration::from_millis(4));
        assert!(folder.names().len() <= 1, "{:?}", folder.names());
        check(&folder.store());
        assert_eq!(folder.names().len(), 1);
    }
}

#[test]
fn kills_while_others_work() {
    let folder = Folder::new();
    let store = folder.store();
    let others: Vec<_> = (0..2).map(|_| Child(forked::start_child(|| work(&folder)))).collect();
    (0..50).for_each(|_| kill_one(&folder, Duration::from_millis(10)));
    others.into_iter().for_each(Child::kill);
    check(&store);
}
