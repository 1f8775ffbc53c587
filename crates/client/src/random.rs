//! Randomness of this process: seeded anew after a fork, so that two workers never draw the same jitter.

use std::cell::RefCell;

use rand::{SeedableRng, rngs::StdRng, rngs::SysRng};

use crate::{clock, fork};

thread_local! {
    static SEEDED: RefCell<Option<(u32, StdRng)>> = const { RefCell::new(None) };
}

/// Lends the generator of this process and thread.
pub(crate) fn with<R>(draw: impl FnOnce(&mut StdRng) -> R) -> R {
    SEEDED.with_borrow_mut(|seeded| {
        let generation = fork::generation();
        match seeded {
            Some((owner, rng)) if *owner == generation => draw(rng),
            _ => draw(&mut seeded.insert((generation, seed())).1),
        }
    })
}

/// The system's randomness; without it (a seccomp jail), what tells this process from its siblings.
fn seed() -> StdRng {
    let own = || clock::now().as_nanos() ^ (u64::from(std::process::id()) << 32);
    StdRng::try_from_rng(&mut SysRng).unwrap_or_else(|_| StdRng::seed_from_u64(own()))
}

/// A multipart boundary: 30 random letters and digits.
#[must_use]
pub fn boundary() -> String {
    use rand::RngExt;
    with(|rng| (0..30).map(|_| char::from(rng.sample(rand::distr::Alphanumeric))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_valid_and_differ() {
        let (one, two) = (boundary(), boundary());
        assert_ne!(one, two);
        assert_eq!(one.len(), 30);
        assert!(one.bytes().all(|b| b.is_ascii_alphanumeric()));
    }
}
