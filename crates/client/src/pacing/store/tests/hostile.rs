//! Whatever another process writes to the memory, nothing panics and nothing is shown raw.

use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::*;

/// Uses everything there is once.
fn use_all(store: &Store, keys: std::ops::Range<u64>) {
    for key in keys {
        if let Some(slot) = store.slot(key, || label(key)) {
            show(&slot);
            if let Some(ring) = slot.ring(40) {
                assert_eq!(ring.len(), 40);
                ring.iter().for_each(|word| {
                    word.fetch_add(1, Relaxed);
                });
            }
        }
        if let Some(slot) = store.find(key) {
            show(&slot);
        }
    }
    for slot in store.slots() {
        show(&slot);
        assert!(slot.ring(1000).is_none_or(|ring| ring.len() == 1000));
    }
    let about = store.about();
    assert!(about.keys <= 4096 && about.processes == 1, "{about:?}");
}

fn show(slot: &Slot) {
    let Label { origin, scope } = slot.label();
    for text in [origin, scope] {
        assert!(text.len() <= 112);
        assert!(text.chars().all(|c| c.is_alphanumeric() || c.is_ascii_graphic() || c == ' '), "{text:?}");
    }
    assert!(slot.index() < 4096);
}

#[test]
fn any_garbage_in_all_of_the_memory() {
    let mut rng = StdRng::seed_from_u64(1);
    for round in 0..15 {
        let folder = Folder::new();
        let store = folder.store();
        use_all(&store, 0..50);
        let mut word = || match round % 5 {
            0 => rng.random(),
            1 => u64::MAX,
            2 => rng.random_range(0..3),
            3 => rng.random_range(0..300_000) << 32 | rng.random_range(0..1002),
            _ => 1 << rng.random_range(0..64),
        };
        let words: Vec<u64> = (0..layout::SIZE / 8).map(|_| word()).collect();
        overwrite(&folder.file(), &words, 0);
        use_all(&store, 0..200);
        // It is seen at the next opening that this is not ours.
        let fresh = folder.store();
        assert_ne!(inode(&fresh), inode(&store));
        use_all(&fresh, 0..50);
    }
}

#[test]
fn garbage_under_a_good_header_is_used_as_it_is() {
    let mut rng = StdRng::seed_from_u64(2);
    for arena_used in [0, 1, 262_143, 262_144, 262_145, u64::MAX - 999, u64::MAX] {
        let folder = Folder::new();
        drop(folder.store());
        overwrite(&folder.file(), &[arena_used], 80);
        let words: Vec<u64> = (0..(layout::SIZE - 4096) / 8).map(|_| rng.random_range(0..4)).collect();
        overwrite(&folder.file(), &words, 4096);
        use_all(&folder.store(), 0..100);
        fs::remove_file(folder.file()).unwrap();
        drop(folder.store());
        overwrite(&folder.file(), &[arena_used], 80);
        use_all(&folder.store(), 0..100);
    }
}

#[test]
fn another_process_that_writes_all_the_time() {
    let folder = Folder::new();
    let store = folder.store();
    let _writer = Child::holding(|| {
        let file = fs::OpenOptions::new().write(true).open(folder.file()).unwrap();
        std::thread::spawn(move || {
            let mut rng = StdRng::seed_from_u64(3);
            loop {
                let word: u64 = if rng.random() { rng.random() } else { rng.random_range(0..3) };
                let at = rng.random_range(0..layout::SIZE as u64 / 8) * 8;
                file.write_all_at(&word.to_ne_bytes(), at).unwrap();
            }
        })
    });
    let until = clock::now().after(Duration::from_secs(2));
    while clock::now() < until {
        use_all(&store, 0..100);
    }
}
