//! What happens when there is no more room in the memory.

use super::*;

#[test]
fn a_full_table_keeps_what_it_has_and_says_so() {
    let folder = Folder::new();
    let store = folder.store();
    for key in 0..4096 {
        slot(&store, key);
    }
    assert!(!store.about().full);
    assert!(store.slot(4096, || panic!("no room")).is_none());
    assert!(store.find(4096).is_none());
    assert_eq!((store.about().full, store.about().keys), (true, 4096));
    for key in 0..4096 {
        assert_eq!(store.find(key).unwrap().label(), label(key));
    }
    let indices: std::collections::HashSet<_> = (0..4096).map(|key| slot(&store, key).index()).collect();
    assert_eq!((indices.len(), store.slots().count()), (4096, 4096));
    // For another process it is full too.
    let other = folder.store();
    assert!(!other.about().full);
    assert!(other.slot(4096, || panic!("no room")).is_none());
}

#[test]
fn a_full_arena_keeps_what_it_has_and_says_so() {
    let folder = Folder::new();
    let store = folder.store();
    let slots: Vec<_> = (0..300).map(|key| slot(&store, key)).collect();
    let given = |slot: &Slot| slot.ring(1000).is_some();
    assert_eq!(slots.iter().filter(|slot| given(slot)).count(), 262);
    assert!(store.about().full);
    // Words do not overlap, and new ones are zeros.
    for (n, slot) in slots[..262].iter().enumerate() {
        for word in slot.ring(1000).unwrap() {
            assert_eq!(word.swap(n as u64 + 1, Relaxed), 0);
        }
    }
    for (n, slot) in slots[..262].iter().enumerate() {
        assert!(slot.ring(1000).unwrap().iter().all(|word| word.load(Relaxed) == n as u64 + 1));
    }
    // 144 words are left, and a smaller ring still finds room.
    assert!(slots[299].ring(145).is_none());
    assert_eq!(slots[299].ring(144).unwrap().len(), 144);
    assert!(slots[298].ring(1).is_none());
}

#[test]
fn a_ring_has_one_length_between_1_and_1000() {
    let store = Store::local();
    let slot = slot(&store, 1);
    assert!(slot.ring(0).is_none());
    assert!(slot.ring(1001).is_none());
    assert_eq!(slot.ring(40).unwrap().len(), 40);
    assert!(slot.ring(41).is_none());
    assert_eq!(slot.ring(40).unwrap().len(), 40);
}

#[test]
fn a_process_without_memory_to_map_goes_on_without() {
    forked::in_child(|| {
        let limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: it reads the structure.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
        let store = Store::open(&SharedMemory::Auto);
        assert!(store.slot(1, || panic!("no room")).is_none());
        let about = store.about();
        assert_eq!((about.path, about.processes, about.keys), (None, 1, 0));
        assert!(about.reason.unwrap().starts_with("cannot map /dev/shm/retry_client."));
        assert_eq!(store.slots().count(), 0);
    });
}
