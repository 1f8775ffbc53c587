//! A fixed window: so much from one boundary to the next.

use super::{DUST, Hit, Quota};

/// Where the windows lie.
#[derive(Clone, Copy, Debug)]
pub enum Begin {
    /// One boundary is here, the others whole periods from it: a server that counts by its clock.
    At(f64),
    /// With the first request after the last window's end.
    FirstRequest,
}

#[derive(Clone, Debug)]
pub struct Window {
    /// From when on how much, in order; the first from 0.
    steps: Vec<(f64, f64)>,
    period: f64,
    begin: Begin,
    ends: f64,
    used: f64,
}

impl Window {
    #[must_use]
    pub fn new(limit: f64, period: f64, begin: Begin) -> Self {
        Self::stepping(vec![(0.0, limit)], period, begin)
    }

    #[must_use]
    pub const fn stepping(steps: Vec<(f64, f64)>, period: f64, begin: Begin) -> Self {
        Self { steps, period, begin, ends: f64::NEG_INFINITY, used: 0.0 }
    }

    pub fn hit(&mut self, now: f64, cost: f64) -> Hit {
        if now >= self.ends {
            self.used = 0.0;
            self.ends = match self.begin {
                Begin::At(phase) => ((now - phase) / self.period).floor().mul_add(self.period, phase),
                Begin::FirstRequest => now,
            } + self.period;
        }
        let limit = self.steps.iter().rev().find(|(from, _)| *from <= now).map_or(0.0, |(_, limit)| *limit);
        let accepted = self.used + cost <= limit + DUST;
        if accepted {
            self.used += cost;
        }
        let reset = self.ends - now;
        let quota = Quota { limit, remaining: (limit - self.used).max(0.0), reset, period: self.period };
        Hit { accepted, opens: if accepted { 0.0 } else { reset }, quota }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(begin: Begin, times: &[f64]) -> Vec<(bool, f64)> {
        let mut window = Window::new(2.0, 4.0, begin);
        times.iter().map(|now| window.hit(*now, 1.0)).map(|hit| (hit.accepted, hit.opens)).collect()
    }

    #[test]
    fn windows_by_the_clock() {
        assert_eq!(
            answers(Begin::At(1.0), &[0.5, 0.5, 0.5, 1.0, 1.0, 3.0, 5.0]),
            [(true, 0.0), (true, 0.0), (false, 0.5), (true, 0.0), (true, 0.0), (false, 2.0), (true, 0.0)]
        );
    }

    #[test]
    fn windows_from_the_first_request() {
        assert_eq!(
            answers(Begin::FirstRequest, &[0.5, 0.5, 4.0, 4.5, 9.0, 9.0, 12.0]),
            [(true, 0.0), (true, 0.0), (false, 0.5), (true, 0.0), (true, 0.0), (true, 0.0), (false, 1.0)]
        );
    }
}
