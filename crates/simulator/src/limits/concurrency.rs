//! At most so many at once. Nobody knows when it opens.

use super::{Hit, Quota};

#[derive(Clone, Debug)]
pub struct Concurrency {
    most: u32,
    running: u32,
}

impl Concurrency {
    #[must_use]
    pub const fn new(most: u32) -> Self {
        Self { most, running: 0 }
    }

    pub fn hit(&mut self) -> Hit {
        let accepted = self.running < self.most;
        if accepted {
            self.running += 1;
        }
        let remaining = f64::from(self.most - self.running);
        let quota = Quota { limit: f64::from(self.most), remaining, reset: 0.0, period: 0.0 };
        Hit { accepted, opens: 0.0, quota }
    }

    pub const fn finish(&mut self) {
        self.running = self.running.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_finishes_makes_room() {
        let mut at_once = Concurrency::new(2);
        assert!(at_once.hit().accepted);
        assert!(at_once.hit().accepted);
        assert!(!at_once.hit().accepted);
        at_once.finish();
        assert!(at_once.hit().accepted);
        assert!(!at_once.hit().accepted);
    }
}
