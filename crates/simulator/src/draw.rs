//! Random values of the distributions that the simulation needs.

use rand::{RngExt, rngs::StdRng};

/// Uniform between the two ends.
pub fn between(random: &mut StdRng, (low, high): (f64, f64)) -> f64 {
    low + (high - low) * random.random::<f64>()
}

/// The time to the next event of a Poisson process.
pub fn exponential(random: &mut StdRng, rate: f64) -> f64 {
    -(1.0 - random.random::<f64>()).ln() / rate
}

/// Lognormal by its mean and its coefficient of variation.
pub fn lognormal(random: &mut StdRng, mean: f64, cv: f64) -> f64 {
    let variance = cv.mul_add(cv, 1.0).ln();
    let normal = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt()
        * (std::f64::consts::TAU * random.random::<f64>()).cos();
    variance.sqrt().mul_add(normal, mean.ln() - variance / 2.0).exp()
}

pub fn index(random: &mut StdRng, count: usize) -> usize {
    random.random_range(0..count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn means_are_as_asked() {
        let random = &mut StdRng::seed_from_u64(1);
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let uniform = mean((0..100_000).map(|_| between(random, (1.0, 3.0))).collect());
        let waits = mean((0..100_000).map(|_| exponential(random, 4.0)).collect());
        let costs = mean((0..100_000).map(|_| lognormal(random, 2900.0, 1.0)).collect());
        assert!((uniform - 2.0).abs() < 0.01, "{uniform}");
        assert!((waits - 0.25).abs() < 0.005, "{waits}");
        assert!((costs - 2900.0).abs() < 50.0, "{costs}");
    }
}
