//! What it costs: `cargo test --release -p client store::tests::speed -- --ignored --nocapture`.

use std::hint::black_box;

use super::*;

fn each(what: &str, times: u32, mut work: impl FnMut()) {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let begun = clock::now();
        (0..times).for_each(|_| work());
        best = best.min(clock::now().since(begun) / times);
    }
    println!("{what}: {best:?}");
}

#[test]
#[ignore = "measures"]
fn how_long_each_takes() {
    let folder = Folder::new();
    each("open, the file is there", 100, || drop(black_box(folder.store())));
    each("open, and make it", 20, || {
        fs::remove_file(folder.file()).unwrap();
        drop(folder.store());
    });
    let store = folder.store();
    let mine = slot(&store, 1);
    each("slot, one key", 1_000_000, || drop(black_box(slot_of(&store, 1))));
    let mut key = 0;
    each("slot, 1000 keys", 1_000_000, || {
        key = (key + 1) % 1000;
        drop(black_box(slot_of(&store, key)));
    });
    each("ring", 1_000_000, || _ = black_box(mine.ring(40)));
    let place = |limit| drop(black_box(mine.place(PlaceKind::InFlight, limit)));
    each("place and back, 5 at once, none taken", 10_000, || place(5));
    each("taken, none", 10_000, || _ = black_box(mine.taken(PlaceKind::InFlight)));
    let others: Vec<_> = (0..16)
        .map(|_| {
            Child::holding(|| {
                let slot = slot(&folder.store(), 1);
                (0..4).map(|_| slot.place(PlaceKind::InFlight, 100).unwrap()).collect::<Vec<_>>()
            })
        })
        .collect();
    println!("16 other processes with 4 places each:");
    each("place and back, 65 at once", 10_000, || place(65));
    each("place and back, 100 at once", 10_000, || place(100));
    let all: Vec<_> = std::iter::from_fn(|| mine.place(PlaceKind::InFlight, 100)).collect();
    assert_eq!(all.len(), 36);
    each("place, all taken", 1_000, || assert!(mine.place(PlaceKind::InFlight, 100).is_none()));
    drop(all);
    each("taken, 64", 1_000, || assert_eq!(mine.taken(PlaceKind::InFlight), 64));
    each("about", 100, || drop(store.about()));
    others.into_iter().for_each(Child::kill);
    (0..4096).for_each(|key| drop(slot_of(&store, key)));
    each("slot, the table is full", 1_000, || assert!(slot_of(&store, 5000).is_none()));
}

fn slot_of(store: &Store, key: u64) -> Option<Slot> {
    store.slot(key, || label(key))
}
