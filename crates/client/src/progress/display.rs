//! Draws the numbers of a batch on stderr: one live line on a terminal, else a plain line now and then. It measures
//! nothing, reads no clock and starts no thread: whoever drives the batch shows it the numbers when it asks for them.

use std::{
    fmt,
    io::{self, ErrorKind, IsTerminal, Write},
    time::Duration,
};

use console::{Term, is_dumb};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use policy::Timestamp;

use super::{Progress, words};
use crate::fork;

/// Often enough to look alive, seldom enough to cost nothing.
const REDRAW: Duration = Duration::from_millis(100);
const PLAIN_LINE: Duration = Duration::from_secs(5);

/// The longest usual words, brackets and spaces around the bar; only what a terminal is wider goes to the bar.
const WORDS: u16 = 70;
const LEAST_BAR: u16 = 10;
const MOST_BAR: u16 = 30;

/// One that a child has inherited draws nothing: the line is its parent's.
pub struct Display {
    on: On,
    /// None before the first.
    next: Option<Timestamp>,
    generation: u32,
}

enum On {
    Terminal(Live),
    Plain(Box<dyn Write>),
    Nothing,
}

impl Display {
    #[must_use]
    pub fn on_stderr(total: Option<u64>) -> Self {
        // A dumb terminal cannot go back to the line's beginning.
        if io::stderr().is_terminal() && !is_dumb() {
            Self::live(Term::buffered_stderr(), total)
        } else {
            Self::plain(io::stderr())
        }
    }

    fn live(term: impl TermLike + Clone + 'static, total: Option<u64>) -> Self {
        Self::on(On::Terminal(Live::new(term, total)))
    }

    fn plain(out: impl Write + 'static) -> Self {
        Self::on(On::Plain(Box::new(out)))
    }

    fn on(on: On) -> Self {
        Self { on, next: None, generation: fork::generation() }
    }

    /// Does nothing before [`next_at`](Self::next_at).
    pub fn show(&mut self, progress: &Progress, now: Timestamp) {
        self.leave_to_parent();
        if now < self.next_at() {
            return;
        }
        let first = self.next.is_none();
        match &mut self.on {
            On::Terminal(live) => {
                self.next = Some(now.after(REDRAW));
                if is_gone(live.draw(progress.done, words::under_way(progress, now))) {
                    self.on = On::Nothing;
                }
            }
            On::Plain(out) => {
                self.next = Some(now.after(PLAIN_LINE));
                // A short batch is told in one line, its last.
                if !first {
                    write_line(out, &words::under_way(progress, now));
                }
            }
            On::Nothing => {}
        }
    }

    /// When it wants to be shown again: at once before the first time, never after the end.
    #[must_use]
    pub fn next_at(&self) -> Timestamp {
        match self.on {
            On::Nothing => Timestamp::from_nanos(u64::MAX),
            _ => self.next.unwrap_or_default(),
        }
    }

    /// Leaves the last state behind, as one line; nothing is drawn after it. Without this, dropping clears the live
    /// line, so that what is written next (an exception's message) stands alone.
    pub fn finish(&mut self, progress: &Progress, _now: Timestamp) {
        self.leave_to_parent();
        let line = words::at_the_end(progress);
        match &mut self.on {
            On::Terminal(live) => live.finish(&line),
            On::Plain(out) => write_line(out, &line),
            On::Nothing => {}
        }
        self.on = On::Nothing;
    }

    fn leave_to_parent(&mut self) {
        if self.generation != fork::generation() {
            if let On::Terminal(live) = &self.on {
                live.bar.set_draw_target(ProgressDrawTarget::hidden());
            }
            self.on = On::Nothing;
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // A bar clears its line when it is dropped.
        self.leave_to_parent();
    }
}

impl fmt::Debug for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = match self.on {
            On::Terminal(_) => "terminal",
            On::Plain(_) => "plain",
            On::Nothing => "nothing",
        };
        f.debug_struct("Display").field("on", &on).field("next", &self.next).finish_non_exhaustive()
    }
}

/// In one write, so that no other process's line comes between. An error is nobody's: the batch goes on without.
fn write_line(out: &mut impl Write, line: &str) {
    let _ = out.write_all(format!("{line}\n").as_bytes()).and_then(|()| out.flush());
}

/// A terminal that was hung up does not come back, and what it does not take would be kept for it. One that is not
/// ready (a script's event loop made it non-blocking) takes it the next time.
fn is_gone(drawn: io::Result<()>) -> bool {
    drawn.is_err_and(|error| !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted))
}

struct Live {
    bar: ProgressBar,
    /// What the bar draws on; it swallows that one's errors.
    term: Box<dyn TermLike>,
    has_total: bool,
    /// Of the terminal when the style was set.
    width: Option<u16>,
}

impl Live {
    fn new(term: impl TermLike + Clone + 'static, total: Option<u64>) -> Self {
        // Not limited by its own clock: it is drawn when it is told to.
        let target = ProgressDrawTarget::term_like(Box::new(term.clone()));
        Self {
            bar: ProgressBar::with_draw_target(total, target),
            term: Box::new(term),
            has_total: total.is_some(),
            width: None,
        }
    }

    fn draw(&mut self, done: u64, words: String) -> io::Result<()> {
        let width = self.term.width();
        if self.width.replace(width) != Some(width) {
            self.bar.set_style(style(self.has_total, width));
        }
        // Unlike set_position and set_message, these do not draw each for itself.
        self.bar.clone().with_position(done).with_message(words).tick();
        self.term.flush()
    }

    fn finish(&self, line: &str) {
        self.bar.finish_and_clear();
        // Not the bar's own end, which leaves the cursor in the line.
        let _ = self.term.write_line(line).and_then(|()| self.term.flush());
    }
}

/// One line, cut where the terminal is narrower; ASCII, and no colours.
fn style(has_total: bool, width: u16) -> ProgressStyle {
    let bar = width.saturating_sub(WORDS).min(MOST_BAR);
    let template = match has_total {
        true if bar >= LEAST_BAR => format!("[{{bar:{bar}}}] {{wide_msg}}"),
        true => String::from("{wide_msg}"),
        false => String::from("{spinner} {wide_msg}"),
    };
    ProgressStyle::with_template(&template)
        .unwrap_or_else(|_| ProgressStyle::default_spinner())
        .progress_chars("=> ")
        // The last is for a spinner at its end.
        .tick_chars("|/-\\ ")
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc, Mutex,
        atomic::{AtomicU16, AtomicUsize, Ordering},
    };

    use indicatif::InMemoryTerm;

    use super::*;
    use crate::forked;

    const START: Timestamp = Timestamp::from_nanos(1_000_000_000);
    const NEVER: Timestamp = Timestamp::from_nanos(u64::MAX);

    fn at(milliseconds: u64) -> Timestamp {
        START.after(Duration::from_millis(milliseconds))
    }

    fn numbers(done: u64, total: Option<u64>) -> Progress {
        Progress {
            done,
            total,
            rate: 49.8,
            limited: 3,
            waiting_until: None,
            eta: total.map(|_| Duration::from_secs(38)),
        }
    }

    /// What was written since the last call.
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Paper {
        fn take(&self) -> String {
            String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
        }
    }

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_plain_line_every_five_seconds_and_one_at_the_end() {
        let paper = Paper::default();
        let mut display = Display::plain(paper.clone());
        assert!(display.next_at() <= START);
        let mut lines = vec![];
        for tick in 0..=120 {
            display.show(&numbers(tick, Some(2_000)), at(tick * 100));
            lines.extend(Some((tick, paper.take())).filter(|(_, line)| !line.is_empty()));
        }
        let line = |done| format!("{done}/2000 done, 49.8/s, 3 x 429, about 38 s left\n");
        assert_eq!(lines, [(50, line(50)), (100, line(100))]);
        assert_eq!(display.next_at(), at(15_000));

        display.finish(&numbers(2_000, Some(2_000)), at(12_100));
        assert_eq!(paper.take(), "2000/2000 done, 49.8/s, 3 x 429\n");
        assert_eq!(display.next_at(), NEVER);
        display.show(&numbers(2_000, Some(2_000)), at(99_000));
        display.finish(&numbers(2_000, Some(2_000)), at(99_000));
        drop(display);
        assert_eq!(paper.take(), "");
    }

    #[test]
    fn a_short_batch_is_one_plain_line() {
        let paper = Paper::default();
        let mut display = Display::plain(paper.clone());
        display.show(&numbers(0, None), START);
        display.finish(&numbers(7, None), at(900));
        assert_eq!(paper.take(), "7 done, 49.8/s, 3 x 429\n");
    }

    #[test]
    fn a_paper_that_takes_nothing_does_not_matter() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(ErrorKind::BrokenPipe.into())
            }
        }
        let mut display = Display::plain(Closed);
        display.show(&numbers(0, None), START);
        display.show(&numbers(1, None), at(5_000));
        display.finish(&numbers(1, None), at(6_000));
    }

    #[test]
    fn a_bar_where_the_total_is_known() {
        let term = InMemoryTerm::new(5, 100);
        let mut display = Display::live(term.clone(), Some(2_000));
        assert!(display.next_at() <= START);
        display.show(&numbers(0, Some(2_000)), START);
        assert_eq!(
            term.contents(),
            format!("[{}] 0/2000 done, 49.8/s, 3 x 429, about 38 s left", " ".repeat(30))
        );
        display.show(&numbers(1_000, Some(2_000)), at(100));
        assert_eq!(
            term.contents(),
            format!(
                "[{}>{}] 1000/2000 done, 49.8/s, 3 x 429, about 38 s left",
                "=".repeat(15),
                " ".repeat(14)
            )
        );
        display.show(&numbers(2_000, Some(2_000)), at(200));
        assert!(term.contents().starts_with(&format!("[{}] 2000/2000 done", "=".repeat(30))));
    }

    #[test]
    fn a_spinner_where_it_is_not() {
        let term = InMemoryTerm::new(5, 80);
        let mut display = Display::live(term.clone(), None);
        let mut seen = vec![];
        for tick in 0..5 {
            display.show(&numbers(tick, None), at(tick * 100));
            seen.push(term.contents());
        }
        assert_eq!(
            seen,
            [
                "/ 0 done, 49.8/s, 3 x 429",
                "- 1 done, 49.8/s, 3 x 429",
                "\\ 2 done, 49.8/s, 3 x 429",
                "| 3 done, 49.8/s, 3 x 429",
                "/ 4 done, 49.8/s, 3 x 429"
            ]
        );
    }

    #[test]
    fn drawn_at_most_ten_times_a_second_and_each_time_once() {
        let term = InMemoryTerm::new(5, 80);
        let mut display = Display::live(term.clone(), Some(9_000));
        let mut drawn = vec![];
        for millisecond in 0..1_000 {
            display.show(&numbers(millisecond, Some(9_000)), at(millisecond));
            let moves = term.moves_since_last_check();
            if !moves.is_empty() {
                assert!(moves.matches(" done,").count() == 1, "{moves}");
                drawn.push(millisecond);
            }
        }
        assert_eq!(drawn, [0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
        assert_eq!(display.next_at(), at(1_000));
    }

    #[test]
    fn a_wait_counts_down() {
        let term = InMemoryTerm::new(5, 100);
        let mut display = Display::live(term.clone(), None);
        let waiting = Progress { waiting_until: Some(at(12_000)), ..numbers(40, None) };
        for (now, words) in [(0, "waiting 12 s"), (100, "waiting 12 s"), (1_000, "waiting 11 s")] {
            display.show(&waiting, at(now));
            assert!(term.contents().ends_with(words), "{}", term.contents());
        }
        display.show(&waiting, at(12_000));
        assert!(term.contents().ends_with("3 x 429"), "{}", term.contents());
    }

    #[test]
    fn the_end_leaves_one_line_and_the_cursor_below_it() {
        let term = InMemoryTerm::new(5, 100);
        let mut display = Display::live(term.clone(), Some(2_000));
        display.show(&numbers(1_999, Some(2_000)), START);
        display.finish(&numbers(2_000, Some(2_000)), at(1));
        assert_eq!(display.next_at(), NEVER);
        display.show(&numbers(2_000, Some(2_000)), at(500));
        drop(display);
        term.write_str("next").unwrap();
        assert_eq!(term.contents(), "2000/2000 done, 49.8/s, 3 x 429\nnext");
    }

    #[test]
    fn a_drop_clears_the_line() {
        let term = InMemoryTerm::new(5, 100);
        let mut display = Display::live(term.clone(), Some(2_000));
        display.show(&numbers(1_999, Some(2_000)), START);
        drop(display);
        term.write_str("Uncaught").unwrap();
        assert_eq!(term.contents(), "Uncaught");
    }

    #[test]
    fn what_was_never_shown_writes_nothing() {
        let term = InMemoryTerm::new(5, 100);
        drop(Display::live(term.clone(), Some(2_000)));
        assert_eq!(term.contents(), "");
        assert!(!term.moves_since_last_check().contains("Clear"));
    }

    #[test]
    fn no_colours() {
        let term = InMemoryTerm::new(5, 100);
        let mut display = Display::live(term.clone(), Some(2_000));
        display.show(&numbers(1_999, Some(2_000)), START);
        assert!(!term.moves_since_last_check().contains("\\u{1b}"));
    }

    #[test]
    fn a_narrow_terminal_gets_one_line_of_what_fits() {
        for (width, line) in [
            (79, "120/2000 done, 49.8/s, 3 x 429, about 38 s left"),
            (30, "120/2000 done, 49.8/s, 3 x 429"),
            (16, "120/2000 done, 4"),
            (1, "1"),
        ] {
            let term = InMemoryTerm::new(5, width);
            let mut display = Display::live(term.clone(), Some(2_000));
            display.show(&numbers(120, Some(2_000)), START);
            display.show(&numbers(120, Some(2_000)), at(100));
            assert_eq!(term.contents(), line, "{width}");
        }
        let term = InMemoryTerm::new(5, 1);
        Display::live(term.clone(), None).show(&numbers(120, None), START);
        assert!(term.contents().len() <= 2 * 5);
    }

    /// A terminal of any width, whose writes fail with an error of choice.
    #[derive(Clone, Debug)]
    struct Fake {
        width: Arc<AtomicU16>,
        error: Option<ErrorKind>,
        written: Arc<Mutex<String>>,
        flushes: Arc<AtomicUsize>,
    }

    impl Fake {
        fn new(error: Option<ErrorKind>) -> Self {
            let width = Arc::new(AtomicU16::new(80));
            Self { width, error, written: Arc::default(), flushes: Arc::default() }
        }
    }

    impl TermLike for Fake {
        fn width(&self) -> u16 {
            self.width.load(Ordering::Relaxed)
        }
        fn move_cursor_up(&self, _n: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _n: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _n: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _n: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, s: &str) -> io::Result<()> {
            self.write_str(s)
        }
        fn write_str(&self, s: &str) -> io::Result<()> {
            self.written.lock().unwrap().push_str(s);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            self.flushes.fetch_add(1, Ordering::Relaxed);
            self.error.map_or(Ok(()), |kind| Err(kind.into()))
        }
    }

    #[test]
    fn the_width_is_the_terminals_at_each_time() {
        let term = Fake::new(None);
        let mut display = Display::live(term.clone(), Some(2_000));
        for (nth, (width, bar)) in [(80, 10), (200, 30), (79, 0), (90, 20)].into_iter().enumerate() {
            term.width.store(width, Ordering::Relaxed);
            display.show(&numbers(0, Some(2_000)), at(nth as u64 * 100));
            let written = std::mem::take(&mut *term.written.lock().unwrap());
            let bar = if bar == 0 { String::new() } else { format!("[{}] ", " ".repeat(bar)) };
            let line = format!("{bar}0/2000 done, 49.8/s, 3 x 429, about 38 s left");
            assert_eq!(written, format!("{line:<width$}", width = usize::from(width)));
        }
    }

    #[test]
    fn a_terminal_that_is_gone_is_drawn_on_no_more() {
        let term = Fake::new(Some(ErrorKind::Other));
        let mut display = Display::live(term.clone(), None);
        display.show(&numbers(0, None), START);
        assert_eq!(display.next_at(), NEVER);
        let flushes = term.flushes.load(Ordering::Relaxed);
        display.show(&numbers(1, None), at(100));
        display.finish(&numbers(1, None), at(200));
        assert_eq!(term.flushes.load(Ordering::Relaxed), flushes);
    }

    #[test]
    fn a_terminal_that_is_not_ready_is_tried_again() {
        let mut display = Display::live(Fake::new(Some(ErrorKind::WouldBlock)), None);
        display.show(&numbers(0, None), START);
        assert_eq!(display.next_at(), at(100));
    }

    #[test]
    fn a_child_leaves_the_line_to_its_parent() {
        let (term, paper) = (InMemoryTerm::new(5, 100), Paper::default());
        let mut displays = vec![Display::live(term.clone(), None), Display::plain(paper.clone())];
        for display in &mut displays {
            display.show(&numbers(1, None), START);
        }
        let mut dropped = vec![Display::live(term.clone(), None)];
        dropped[0].show(&numbers(1, None), START);
        term.moves_since_last_check();
        forked::in_child(|| {
            dropped.clear();
            for display in &mut displays {
                display.show(&numbers(2, None), at(60_000));
                assert_eq!(display.next_at(), NEVER);
                display.finish(&numbers(2, None), at(60_000));
            }
            displays.clear();
            assert_eq!((term.moves_since_last_check(), paper.take()), (String::new(), String::new()));
        });
        displays[0].finish(&numbers(2, None), at(60_000));
        assert!(term.moves_since_last_check().contains("2 done"));
    }
}
