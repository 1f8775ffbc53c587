//! Each rule by itself, with exact numbers.

use super::*;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_nanos(1_000_000_000_000 + millis * 1_000_000)
}

/// Sent now, while others wait for their slots.
fn send(words: &Words, now: Timestamp) -> Ticket {
    Ticket {
        sent_at: now,
        epoch: Gate::read(words).epoch,
        units: 1000,
        serial: words.add(Word::Sent, 1000),
        busy: true,
        pace: pace::pace(words).unwrap_or(0.0),
        ..Ticket::default()
    }
}

/// So many are sent and accepted, the next one is refused.
fn refuse_after(words: &Words, count: u64, now: Timestamp) {
    words.add(Word::Sent, count * 1000);
    refused(words, &send(words, now), None, now);
}

fn answer(words: &Words, now: Timestamp) {
    accepted(words, &send(words, now), now);
}

/// The server's bucket holds `burst` and was empty at 0; the gate opened at `opened` ms.
fn paced(mode: Mode, rate: f64, pace: f64, burst: u64, opened: u64) -> Words {
    let words = Words::default();
    words.set(Word::FirstAccepted, burst * 1000);
    words.set(Word::Mode, mode as u64);
    words.set_number(Word::Rate, rate);
    words.set_number(Word::Pace, pace);
    words.set(Word::Gate, gate::pack(1, at(opened)));
    words.set(Word::Sent, 1000);
    measure::begin(&words, &Ticket { sent_at: at(0), serial: 1000, ..Ticket::default() });
    words
}

fn opens(words: &Words) -> Timestamp {
    Gate::read(words).not_before
}

fn to_micros(time: Timestamp) -> Timestamp {
    Timestamp::from_nanos(time.as_nanos() / 1000 * 1000)
}

#[track_caller]
fn knows(words: &Words, mode: Mode, rate: f64, pace: f64) {
    let [found_rate, found_pace] = [Word::Rate, Word::Pace].map(|word| words.number(word));
    let near = |found: f64, expected: f64| (found - expected).abs() <= expected * 1e-9;
    assert!(
        Mode::read(words) == mode && near(found_rate, rate) && near(found_pace, pace),
        "{:?} {found_rate} {found_pace}",
        Mode::read(words)
    );
}

#[test]
fn the_first_lesson() {
    // What came before the refused one, how long that took, the pace, and how long the gate is shut.
    for (before, took, pace, shut) in
        [(5, 0, 12.0, 250), (5, 250, 12.0, 250), (41, 4000, 5.25, 2000), (0, 0, 4.0, 250)]
    {
        let words = Words::default();
        words.set(Word::BusySince, at(0).as_nanos());
        refuse_after(&words, before, at(took));
        knows(&words, Mode::Climb, 0.0, pace);
        assert_eq!(Gate::read(&words), Gate { epoch: 1, not_before: at(took + shut) }, "{before}");
        assert_eq!(words.get(Word::FirstAccepted), before * 1000);
    }
}

#[test]
fn the_first_burst_is_what_was_not_refused() {
    let words = Words::default();
    words.set(Word::BusySince, at(0).as_nanos());
    let tickets: Vec<Ticket> = (0..8).map(|number| send(&words, at(number))).collect();
    // On their way some overtook others.
    for number in [2, 7, 6, 5] {
        refused(&words, &tickets[number], None, at(9));
    }
    assert_eq!(words.get(Word::FirstAccepted), 4000);
    assert_eq!(words.get(Word::EmptyAccepted), 4000);
    knows(&words, Mode::Climb, 0.0, 6.0);
}

#[test]
fn an_answer_raises_the_pace() {
    // Mode, good rate, rate, pace before and after.
    for (mode, good, rate, pace, raised) in [
        (Mode::Climb, 0.0, 0.0, 10.0, 11.5),
        (Mode::Climb, 20.0, 20.0, 10.0, 10.4),
        (Mode::Climb, 20.0, 20.0, 9.0, 13.5),
        (Mode::Climb, 0.5, 0.5, 0.5, 0.55),
        (Mode::Climb, 0.05, 0.05, 0.05, 0.075),
        (Mode::Probe, 20.0, 20.0, 20.0, 20.4),
        (Mode::Probe, 1.0, 1.0, 1.0, 1.05),
    ] {
        let words = paced(mode, rate, pace, 5, 100);
        words.set_number(Word::GoodRate, good);
        answer(&words, at(200));
        knows(&words, mode, rate, raised);
    }
}

#[test]
fn only_answers_that_tell_raise_it() {
    let words = paced(Mode::Climb, 20.0, 10.0, 5, 100);
    let ticket = send(&words, at(200));
    accepted(&words, &Ticket { busy: false, ..ticket }, at(200));
    accepted(&words, &Ticket { epoch: 0, ..ticket }, at(200));
    knows(&words, Mode::Climb, 20.0, 10.0);
}

#[test]
fn refused_too_soon_to_measure() {
    // Pace, accepted since the last refusal, how long ago that was, the new pace.
    for (pace, count, millis, fallen) in [
        (20.0, 3, 100, 10.0),
        (20.0, 1, 1000, 1.5),
        (20.0, 0, 100, 10.0),
        (20.0, 0, 500, 2.0),
        (0.6, 0, 1000, 0.5),
        (0.4, 0, 1000, 0.4),
    ] {
        let words = paced(Mode::Climb, 0.0, pace, 5, 50);
        refuse_after(&words, count, at(millis));
        knows(&words, Mode::Climb, fallen, fallen);
        let shut = slots(fallen);
        assert_eq!(opens(&words), to_micros(at(millis).after(shut)));
        assert!(shut >= MIN_SHUT && shut <= MAX_BARE_SHUT);
    }
}

#[test]
fn what_was_accepted_from_one_refusal_to_the_next() {
    let words = paced(Mode::Climb, 0.0, 30.0, 5, 100);
    refuse_after(&words, 20, at(1000));
    let pace = 20.0 * (1.0 - 0.5 / 21.0);
    knows(&words, Mode::Hold, 20.0, pace);
    assert_eq!(words.number(Word::GoodRate), 20.0);
    // Of the two that refill until the gate opens one is given out at once.
    let until = at(1000).after(slots(pace));
    assert_eq!(opens(&words), to_micros(until));
    let due = pace::due(&words, 1000, at(1000)).unwrap();
    assert!(due <= until && due.after(pace::slot(pace)) > until);
    // 20 answers tell the rate for 80 more.
    assert_eq!(words.get(Word::ProbeAt), until.after(Duration::from_secs(4)).as_nanos());
}

#[test]
fn what_overflowed_while_the_gate_was_shut() {
    // 12/s in all, but from the opening on 24 less the 4 more that a full bucket holds.
    let words = paced(Mode::Climb, 0.0, 30.0, 5, 1000);
    refuse_after(&words, 24, at(2000));
    knows(&words, Mode::Hold, 20.0, 20.0 * (1.0 - 0.5 / 25.0));
}

#[test]
fn marks_tell_when_the_bucket_was_full_last() {
    let words = paced(Mode::Probe, 15.0, 30.0, 5, 100);
    for number in 0..80 {
        answer(&words, at(100 + number * 100));
    }
    // 2.5 roots of 5 apart: every sixth.
    let newest = words.get(Word::NewestMark);
    assert_eq!(newest, 80 / 6);
    let mark = Word::Marks as usize + newest as usize % Word::MARKS * Word::MARK_WORDS;
    let pairs = [words.get_at(mark), words.get_at(mark + 1)];
    assert_eq!(pairs, [at(100 + 77 * 100).as_nanos(), 79_000]);
    // Since that mark 2 + 30, less the 4 more that it held, in 1.3 s.
    words.set_number(Word::Pace, 30.0);
    refuse_after(&words, 30, at(9100));
    let rate = 28.0 / 1.3;
    knows(&words, Mode::Hold, rate, rate * BELOW);
}

#[test]
fn marks_tell_nothing_where_others_use_the_bucket() {
    for (unexpected, rate) in [(at(2000), 20.0), (at(40_000), 15.0)] {
        let words = paced(Mode::Probe, 15.0, 30.0, 5, 100);
        words.set(Word::Unexpected, unexpected.as_nanos());
        words.add(Word::Sent, 100_000);
        let mark = Word::Marks as usize;
        words.set_at(mark, at(49_000).as_nanos());
        words.set_at(mark + 1, 101_000);
        refuse_after(&words, 24, at(50_000));
        knows(&words, Mode::Hold, rate, rate * BELOW);
    }
}

#[test]
fn without_a_burst_the_pace_itself_was_too_much() {
    for (burst, rate) in [(1, 19.0), (2, 10.0)] {
        let words = paced(Mode::Climb, 0.0, 20.0, burst, 100);
        refuse_after(&words, 20, at(2000));
        knows(&words, Mode::Hold, rate, rate * (1.0 - 0.5 / 21.0));
    }
}

#[test]
fn a_probe_begins_at_the_rate_when_it_is_time() {
    let words = paced(Mode::Hold, 20.0, 19.8, 5, 100);
    words.set(Word::ProbeAt, at(8000).as_nanos());
    answer(&words, at(7999));
    knows(&words, Mode::Hold, 20.0, 19.8);
    answer(&words, at(8000));
    knows(&words, Mode::Probe, 20.0, 20.0);
    // A time that no lesson set.
    let words = paced(Mode::Hold, 20.0, 19.8, 5, 100);
    words.set(Word::ProbeAt, u64::MAX);
    answer(&words, at(200));
    knows(&words, Mode::Probe, 20.0, 20.0);
}

#[test]
fn a_probe_never_lowers_the_rate_and_the_next_comes_later() {
    let words = paced(Mode::Probe, 20.0, 25.0, 5, 100);
    refuse_after(&words, 160, at(10_000));
    knows(&words, Mode::Hold, 20.0, 19.8);
    let until = at(10_000).after(slots(19.8));
    assert_eq!(words.get(Word::ProbeAt), until.after(Duration::from_secs(8)).as_nanos());
    // At 1/s it is 150 slots, however much was measured.
    let words = paced(Mode::Probe, 1.0, 1.25, 5, 100);
    refuse_after(&words, 90, at(100_000));
    let until = at(100_000).after(slots(0.99));
    assert_eq!(words.get(Word::ProbeAt), until.after(Duration::from_secs(150)).as_nanos());
}

#[test]
fn probes_are_rare_where_a_refusal_costs_time() {
    let words = paced(Mode::Probe, 20.0, 25.0, 5, 100);
    words.add(Word::Sent, 160_000);
    refused(&words, &send(&words, at(10_000)), Some(Duration::from_secs(1)), at(10_000));
    // Three quarters of the second overflow: 50 times that lie between.
    let until = at(11_000).after(Duration::from_millis(37_500));
    assert_eq!(words.get(Word::ProbeAt), until.as_nanos());
}

#[test]
fn one_unexpected_refusal_may_be_a_strangers() {
    let words = paced(Mode::Hold, 20.0, 19.8, 5, 100);
    refuse_after(&words, 100, at(6250));
    knows(&words, Mode::Hold, 19.0, 19.0 * BELOW);
    assert_eq!(words.get(Word::Unexpected), at(6250).as_nanos());
    // More than that was measured: it is no less.
    let words = paced(Mode::Hold, 20.0, 19.8, 5, 100);
    refuse_after(&words, 99, at(5000));
    knows(&words, Mode::Hold, 19.8, 19.8 * BELOW);
}

#[test]
fn a_second_one_in_a_row_is_measured() {
    // Accepted within 5 s after the first one; at most one more was refilled, and never less than half is believed.
    for (count, rate) in [(49, 10.0), (20, 9.5), (90, 0.95 * 19.0)] {
        let words = paced(Mode::Hold, 20.0, 19.8, 5, 100);
        refuse_after(&words, 100, at(6250));
        refuse_after(&words, count, at(11_250));
        knows(&words, Mode::Hold, rate, rate * (1.0 - 0.5 / (count as f64 + 1.0)).min(BELOW));
    }
}

#[test]
fn a_second_one_at_once_halves_the_pace_and_it_recovers() {
    let words = paced(Mode::Hold, 20.0, 19.8, 5, 100);
    refuse_after(&words, 100, at(6250));
    refuse_after(&words, 3, at(6450));
    let pace = 19.0 * BELOW / 2.0;
    knows(&words, Mode::Climb, 19.0, pace);
    answer(&words, at(6600));
    knows(&words, Mode::Climb, 19.0, pace * RECOVER);
    answer(&words, at(6700));
    knows(&words, Mode::Climb, 19.0, pace * RECOVER * CLIMB);
}

#[test]
fn an_echo_moves_the_gate_and_nothing_else() {
    let words = paced(Mode::Climb, 0.0, 30.0, 5, 100);
    words.add(Word::Sent, 20_000);
    let [first, second, third] = [at(1000), at(1001), at(1002)].map(|now| send(&words, now));
    refused(&words, &second, None, at(1010));
    let pace = words.number(Word::Pace);
    knows(&words, Mode::Hold, 21.0 / 1.001, pace);
    for echo in [&first, &third] {
        refused(&words, echo, Some(Duration::from_millis(100)), at(1011));
        knows(&words, Mode::Hold, 21.0 / 1.001, pace);
    }
    assert_eq!(Gate::read(&words), Gate { epoch: 2, not_before: at(1111) });
    // All is measured from the last one that found the bucket empty: 20 were accepted up to it, after the first.
    assert_eq!(
        [Word::EmptyAt, Word::EmptyAccepted].map(|word| words.get(word)),
        [at(1002).as_nanos(), 21_000]
    );
    refuse_after(&words, 20, at(2002));
    knows(&words, Mode::Hold, 20.0, 20.0 * (1.0 - 0.5 / 21.0));
}

#[test]
fn killed_between_two_words() {
    // The pace without the mode: it climbs. The mode without the pace: as if never refused.
    let words = paced(Mode::Open, 0.0, 12.0, 5, 100);
    answer(&words, at(200));
    knows(&words, Mode::Climb, 0.0, 12.0 * FIRST_CLIMB);
    let words = paced(Mode::Hold, 20.0, 0.0, 5, 100);
    answer(&words, at(200));
    knows(&words, Mode::Open, 20.0, 0.0);
}

#[test]
fn garbage_in_any_words_is_survived() {
    let values =
        [0, 1, 2, 3, 1 << 40, 1 << 63, u64::MAX, f64::NAN.to_bits(), 1e308_f64.to_bits(), 19.5_f64.to_bits()];
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for _ in 0..20_000 {
        let words = Words::default();
        for place in 0..super::super::WORDS {
            let value = values[next() as usize % values.len()];
            words.set_at(place, if next() % 4 == 0 { at(next() % 100_000).as_nanos() } else { value });
        }
        words.set(Word::Gate, 0);
        let ticket = Ticket { epoch: 0, ..send(&words, at(50_000)) };
        accepted(&words, &ticket, at(50_010));
        refused(&words, &ticket, None, at(50_010));
        let pace = words.number(Word::Pace);
        assert!((PACES.0..=PACES.1).contains(&pace), "{pace}");
        let rate = words.number(Word::Rate);
        assert!(rate == 0.0 || (PACES.0..=PACES.1).contains(&rate), "{rate}");
        assert!(Gate::read(&words).not_before <= at(50_010).after(MAX_BARE_SHUT));
        assert!(words.get(Word::Used) <= at(50_010).after(MAX_BARE_SHUT).as_nanos());
    }
}
