//! Which requests may be sent twice, and the key that makes it safe.

use std::time::{SystemTime, UNIX_EPOCH};

use http::Method;
use rand_core::Rng;

/// Whose `Idempotency-Key` the request carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOrigin {
    Absent,
    Ours,
    Callers,
}

/// Whether RFC 9110 section 9.2.2 calls the method idempotent.
#[must_use]
pub fn is_idempotent(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::OPTIONS, Method::TRACE, Method::PUT, Method::DELETE].contains(method)
}

/// Whether a request of this method gets a key of ours: POST and PATCH.
#[must_use]
pub fn takes_key(method: &Method) -> bool {
    [Method::POST, Method::PATCH].contains(method)
}

/// A UUIDv7 in its usual text form.
pub fn new_key(now: SystemTime, random: &mut impl Rng) -> String {
    // A clock before 1970 has no place in RFC 9562's timestamp; the random part still differs.
    let since_epoch = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX);
    let mut filling = [0; 10];
    random.fill_bytes(&mut filling);
    uuid::Builder::from_unix_timestamp_millis(millis, &filling).into_uuid().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{SeedableRng, rngs::StdRng};
    use std::time::Duration;

    #[test]
    fn methods() {
        for (method, idempotent, key) in [
            ("GET", true, false),
            ("HEAD", true, false),
            ("OPTIONS", true, false),
            ("TRACE", true, false),
            ("PUT", true, false),
            ("DELETE", true, false),
            ("POST", false, true),
            ("PATCH", false, true),
            ("CONNECT", false, false),
            ("PROPFIND", false, false),
            ("LOCK", false, false),
            // Methods are case-sensitive (RFC 9110 section 9.1).
            ("get", false, false),
            ("post", false, false),
        ] {
            let parsed = Method::from_bytes(method.as_bytes()).unwrap();
            assert_eq!((is_idempotent(&parsed), takes_key(&parsed)), (idempotent, key), "{method}");
        }
    }

    #[test]
    fn keys_are_uuids_of_version_7() {
        let now = UNIX_EPOCH + Duration::from_millis(0x0199_1234_5678);
        let key = new_key(now, &mut StdRng::seed_from_u64(1));
        assert_eq!(key.len(), 36);
        assert!(key.starts_with("01991234-5678-7"), "{key}");
        assert!(matches!(key.as_bytes()[19], b'8' | b'9' | b'a' | b'b'), "{key}");
        assert!(key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-')), "{key}");
        assert_eq!(key, new_key(now, &mut StdRng::seed_from_u64(1)));
        assert_ne!(key, new_key(now, &mut StdRng::seed_from_u64(2)));
    }

    #[test]
    fn keys_survive_a_clock_before_1970() {
        let key = new_key(UNIX_EPOCH - Duration::from_secs(1), &mut StdRng::seed_from_u64(1));
        assert!(key.starts_with("00000000-0000-7"), "{key}");
    }
}
