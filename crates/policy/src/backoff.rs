//! The own wait before the next attempt.

use std::time::Duration;

use rand_core::Rng;

use crate::time::{from_nanos_up, nanos};

#[derive(Clone, Debug, PartialEq)]
pub struct Backoff {
    pub base: Duration,
    pub multiplier: f64,
    pub max: Duration,
    pub jitter: Duration,
}

impl Backoff {
    /// The wait before attempt `attempt + 1`, without jitter.
    #[must_use]
    pub fn after(&self, attempt: u32) -> Duration {
        // `max` also takes NaN away: the other operand wins.
        let multiplier = self.multiplier.max(1.0);
        let exponent = i32::try_from(attempt.saturating_sub(1)).unwrap_or(i32::MAX);
        // 0 * inf is NaN, which becomes zero: a base of zero stays zero.
        let grown = nanos(self.base) as f64 * multiplier.powi(exponent);
        from_nanos_up(grown).min(self.max)
    }

    /// A uniformly random part of `jitter`, 0 included.
    pub fn draw_jitter(&self, random: &mut impl Rng) -> Duration {
        // Lemire's multiply-shift: a 64-bit draw scaled to 0..=jitter. Its bias is below jitter / 2^64.
        let choices = u128::from(nanos(self.jitter)) + 1;
        let drawn = (u128::from(random.next_u64()) * choices) >> 64;
        Duration::from_nanos(u64::try_from(drawn).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{SeedableRng, rngs::StdRng};

    fn backoff(base: f64, multiplier: f64, max: f64) -> Backoff {
        let seconds = crate::time::from_seconds;
        Backoff { base: seconds(base), multiplier, max: seconds(max), jitter: Duration::ZERO }
    }

    #[test]
    fn waits_grow_to_the_cap() {
        for (base, multiplier, max, attempt, wait) in [
            (0.5, 2.0, 30.0, 1, 0.5),
            (0.5, 2.0, 30.0, 2, 1.0),
            (0.5, 2.0, 30.0, 3, 2.0),
            (0.5, 2.0, 30.0, 4, 4.0),
            (0.5, 2.0, 30.0, 6, 16.0),
            (0.5, 2.0, 30.0, 7, 30.0),
            (0.5, 2.0, 30.0, 1_000_000, 30.0),
            (0.5, 2.0, 30.0, u32::MAX, 30.0),
            // Attempt 0 does not exist; it waits like the first.
            (0.5, 2.0, 30.0, 0, 0.5),
            (0.5, 1.0, 30.0, 1_000_000, 0.5),
            (0.0, 2.0, 30.0, 1_000_000, 0.0),
            (40.0, 2.0, 30.0, 1, 30.0),
            (0.5, 2.0, 0.0, 3, 0.0),
            (0.5, f64::MAX, 30.0, 1, 0.5),
            (0.5, f64::MAX, 30.0, 3, 30.0),
            (0.5, f64::INFINITY, 30.0, 2, 30.0),
            (0.0, f64::INFINITY, 30.0, 2, 0.0),
            (0.5, f64::NAN, 30.0, 5, 0.5),
            (0.5, 0.1, 30.0, 5, 0.5),
            (f64::MAX, f64::MAX, f64::MAX, u32::MAX, f64::MAX),
        ] {
            assert_eq!(
                backoff(base, multiplier, max).after(attempt),
                crate::time::from_seconds(wait),
                "{base} {multiplier} {max} {attempt}"
            );
        }
    }

    #[test]
    fn a_slow_growth_is_not_cut_short() {
        // 1.001^4999 is 147.9: a clamp of the exponent at 1000 would give 2.7.
        let wait = backoff(1.0, 1.001, 1e9).after(5000).as_secs_f64();
        assert!((147.8..148.0).contains(&wait), "{wait}");
    }

    #[test]
    fn fractions_of_a_nanosecond_round_up() {
        let backoff = Backoff {
            base: Duration::from_nanos(3),
            multiplier: 1.5,
            max: Duration::MAX,
            jitter: Duration::ZERO,
        };
        assert_eq!(backoff.after(2), Duration::from_nanos(5));
    }

    #[test]
    fn jitter_fills_its_range() {
        let mut random = StdRng::seed_from_u64(1);
        let three = Backoff { jitter: Duration::from_nanos(3), ..backoff(0.0, 1.0, 0.0) };
        let mut seen = [0_u32; 4];
        for _ in 0..4000 {
            let drawn = usize::try_from(three.draw_jitter(&mut random).as_nanos()).unwrap();
            seen[drawn] += 1;
        }
        assert!(seen.iter().all(|times| (850..1150).contains(times)), "{seen:?}");
        assert_eq!(backoff(0.0, 1.0, 0.0).draw_jitter(&mut random), Duration::ZERO);
        let endless = Backoff { jitter: Duration::MAX, ..backoff(0.0, 1.0, 0.0) };
        assert!(endless.draw_jitter(&mut random) <= Duration::from_nanos(u64::MAX));
    }
}
