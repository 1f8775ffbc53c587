//! What one process writes, the others find.

use super::*;

#[test]
fn two_openings_find_each_others_slots() {
    let folder = Folder::new();
    let (one, two) = (folder.store(), folder.store());
    assert!(two.find(7).is_none());
    let mine = slot(&one, 7);
    let theirs = two.find(7).unwrap();
    assert_eq!((mine.index(), mine.label()), (theirs.index(), theirs.label()));
    assert_eq!(theirs.label(), label(7));
    mine.ring(40).unwrap()[39].store(5, Relaxed);
    assert_eq!(theirs.ring(40).unwrap()[39].load(Relaxed), 5);
    assert!(!std::ptr::eq(mine.words(), theirs.words()));
    assert_eq!((one.about().keys, two.about().keys, two.about().full), (1, 1, false));
    assert_eq!(two.slots().map(|slot| slot.index()).collect::<Vec<_>>(), [mine.index()]);
}

#[test]
fn a_label_is_asked_for_once() {
    let folder = Folder::new();
    let (one, two) = (folder.store(), folder.store());
    slot(&one, 7);
    assert!(two.slot(7, || panic!("it has one")).is_some());
}

/// Where in the file a slot is.
fn place_of(slot: &Slot) -> u64 {
    (4096 + slot.index() * size_of::<layout::SlotWords>()) as u64
}

#[test]
fn a_label_that_a_killed_process_did_not_come_to_is_completed() {
    let folder = Folder::new();
    let store = folder.store();
    let at = place_of(&slot(&store, 7)) + 16;
    for torn in [[0; 14].as_slice(), &[0, 1, 2, 3]] {
        overwrite(&folder.file(), torn, at);
        assert_eq!(store.find(7).unwrap().label(), Label::default());
        assert_eq!(slot(&store, 7).label(), label(7));
    }
}

#[test]
fn the_words_are_in_the_file_where_the_layout_says() {
    let folder = Folder::new();
    let store = folder.store();
    let slot = slot(&store, 7);
    let at = place_of(&slot) + 128;
    overwrite(&folder.file(), &[0x5eed; layout::WORDS], at);
    // `Words` is a transparent row of words; only its own crate reads them.
    assert_eq!(format!("{:?}", *slot).matches(&0x5eed.to_string()).count(), layout::WORDS);
}

#[test]
fn processes_that_take_the_same_keys_in_different_orders_get_the_same_slots() {
    const KEYS: u64 = 1000;
    let folder = Folder::new();
    let work = |store: &Store, first: u64| {
        for n in 0..KEYS {
            let key = (first + n * 7) % KEYS;
            slot(store, key).ring(2).unwrap()[0].fetch_add(1, Relaxed);
        }
    };
    let children: Vec<_> =
        (0..4).map(|n| Child(forked::start_child(|| work(&folder.store(), n * 250)))).collect();
    let store = folder.store();
    work(&store, 500);
    children.into_iter().for_each(Child::wait);
    assert_eq!(store.about().keys, KEYS as u32);
    for key in 0..KEYS {
        let slot = store.find(key).unwrap();
        assert_eq!(slot.label(), label(key));
        assert_eq!(slot.ring(2).unwrap()[0].load(Relaxed), 5, "{key}");
    }
}

/// Starts `count` processes that open at the same instant, call `slot` after a while, and say which file they have.
fn race(folder: &Folder, count: usize, rounds: u32) {
    let (mut children, mut heard): (Vec<_>, Vec<_>) = (0..count)
        .map(|_| {
            let at = clock::now().after(Duration::from_millis(30));
            Child::telling(move |tell| {
                while clock::now() < at {
                    std::hint::spin_loop();
                }
                let store = folder.store();
                tell(inode(&store));
                std::thread::sleep(LOOK_FIRST + Duration::from_millis(50));
                slot(&store, 1);
                tell(inode(&store));
                sleep_for_ever()
            })
        })
        .unzip();
    let first: Vec<_> = heard.iter_mut().map(hear).collect();
    let second: Vec<_> = heard.iter_mut().map(hear).collect();
    assert!(second.iter().all(|inode| *inode == second[0]), "{rounds}: {second:?}");
    assert_eq!(folder.names().len(), 1);
    assert_eq!(folder.store().about().processes as usize, count + 1);
    if rounds > 0 {
        assert!(first.iter().all(|inode| *inode == first[0]), "{rounds}: {first:?}");
    }
    children.drain(..).for_each(Child::kill);
}

#[test]
fn eight_processes_that_create_at_once_end_on_one_file() {
    for round in 1..=10 {
        race(&Folder::new(), 8, round);
    }
}

#[test]
fn eight_processes_that_replace_at_once_end_on_one_file() {
    for _ in 0..10 {
        let folder = Folder::new();
        fs::write(folder.file(), "junk").unwrap();
        race(&folder, 8, 0);
    }
}

#[test]
fn two_layouts_live_side_by_side() {
    let folder = Folder::new();
    let (old, new) = (folder.store(), Store::open_layout(&folder.choice(), LAYOUT + 1));
    slot(&old, 1);
    slot(&new, 2);
    assert_ne!(shared_path(&old), shared_path(&new));
    assert!(old.find(2).is_none() && new.find(1).is_none());
    look_now(&old);
    look_now(&new);
    assert!(old.find(1).is_some() && new.find(2).is_some());
}

#[test]
fn a_file_that_was_deleted_is_made_anew_and_the_old_one_lives_on_for_who_has_it() {
    let folder = Folder::new();
    let (one, two) = (folder.store(), folder.store());
    let (mine, theirs) = (slot(&one, 7), slot(&two, 7));
    let place = mine.place(PlaceKind::InFlight, 2).unwrap();
    let old = inode(&one);
    fs::remove_file(folder.file()).unwrap();
    look_now(&one);
    assert!(one.find(7).is_none(), "a new file knows nothing");
    assert_ne!(inode(&one), old);
    // Both are still on the old file with what they hold.
    mine.ring(5).unwrap()[4].store(9, Relaxed);
    assert_eq!(theirs.ring(5).unwrap()[4].load(Relaxed), 9);
    assert_eq!(theirs.taken(PlaceKind::InFlight), 1);
    drop(place);
    assert_eq!(theirs.taken(PlaceKind::InFlight), 0);
    slot(&one, 7);
    look_now(&two);
    assert_eq!(slot(&two, 7).index(), one.find(7).unwrap().index());
    assert_eq!((inode(&one), two.about().processes), (inode(&two), 2));
}

#[test]
fn that_the_file_was_deleted_is_noticed_within_five_seconds() {
    let folder = Folder::new();
    let store = folder.store();
    std::thread::sleep(LOOK_FIRST + Duration::from_millis(50));
    slot(&store, 1);
    fs::remove_file(folder.file()).unwrap();
    let deleted_at = clock::now();
    while !folder.file().exists() {
        slot(&store, 1);
        std::thread::sleep(Duration::from_millis(1));
    }
    let took = clock::now().since(deleted_at);
    assert!(took > Duration::from_secs(4) && took < Duration::from_secs(6), "{took:?}");
    assert!(folder.store().find(1).is_some());
}

#[test]
fn a_file_that_cannot_be_made_anew_is_used_on_and_the_reason_told() {
    let folder = Folder::new();
    let store = folder.store();
    slot(&store, 7);
    fs::remove_file(folder.file()).unwrap();
    fs::create_dir(folder.file()).unwrap();
    look_now(&store);
    assert!(store.find(7).is_some());
    assert!(store.about().reason.unwrap().ends_with("is a folder, which is not replaced"));
    fs::remove_dir(folder.file()).unwrap();
    look_now(&store);
    assert!(store.find(7).is_none());
    assert_eq!(shared_path(&store), folder.file());
}

#[test]
fn who_could_not_share_does_as_soon_as_it_can() {
    let folder = Folder::new();
    fs::create_dir(folder.file()).unwrap();
    let store = Store::open(&folder.choice());
    assert!(reason(&store).contains("a folder"));
    fs::remove_dir(folder.file()).unwrap();
    look_now(&store);
    slot(&store, 7);
    assert_eq!(shared_path(&store), folder.file());
    assert!(folder.store().find(7).is_some());
}

#[test]
fn local_memory_is_nobody_elses() {
    let (one, two) = (Store::local(), Store::local());
    slot(&one, 7);
    assert!(two.find(7).is_none());
    assert_eq!(one.about().keys, 1);
    assert_eq!(two.about().reason, None, "so chosen");
}

#[test]
fn what_is_in_the_file_tells_no_key_and_differs_from_file_to_file() {
    let (one, two) = (Folder::new(), Folder::new());
    let keyed = |folder: &Folder| {
        let store = folder.store();
        slot(&store, 0x1234_5678_9abc_def0);
        let memory = store.0.current().unwrap();
        memory.region.slot(memory.region.keys().next().unwrap()).key()
    };
    let (first, again, other) = (keyed(&one), keyed(&one), keyed(&two));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert_ne!(first, 0x1234_5678_9abc_def0);
}
