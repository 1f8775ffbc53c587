//! The JSON error bodies of AI APIs: which fields hold codes, and what the codes say.
//!
//! Only fields that hold codes are read, never the text for people: a message may name a limit
//! without meaning it. Where the codes are:
//! - OpenAI: `error.code` and `error.type` (`insufficient_quota`, `billing_not_active`);
//! - Anthropic: `error.details.error_code` (`enforced_spend_limit_reached`), `error.type`;
//! - Azure: `error.innererror.code`;
//! - OpenRouter: `error.metadata.limit_source`, and the limit's name at a fixed place of `error.message`;
//! - Google: `error.details[]` with an `@type`, `error.errors[].reason`; a streaming endpoint wraps
//!   the whole in an array.

use serde_json::Value;

use crate::server_wish::MAX_BODY_LOOKED_AT;

/// The fields of an error object that hold codes.
const CODE_FIELDS: [&str; 5] = ["code", "type", "reason", "error_code", "limit_source"];

/// The members of an error that may hold code fields of their own: objects, or lists of objects.
const NESTED: [&str; 4] = ["details", "innererror", "metadata", "errors"];

/// What OpenRouter writes before the name of a limit.
const OPENROUTER_PREFIX: &str = "Rate limit exceeded: ";

/// An error body that is complete JSON.
pub(crate) struct ErrorBody(Value);

impl ErrorBody {
    /// `None` when it is no JSON, cut off or longer than what is looked at.
    pub(crate) fn parse(body: &[u8]) -> Option<Self> {
        if body.len() > MAX_BODY_LOOKED_AT {
            return None;
        }
        serde_json::from_slice(body).ok().map(Self)
    }

    /// Whether waiting cannot cure what it reports.
    pub(crate) fn is_incurable(&self) -> bool {
        self.errors().into_iter().any(|error| {
            codes(error).any(names_incurable)
                || openrouter_limit(error).is_some_and(names_incurable)
                || typed_details(error, "google.rpc.QuotaFailure").any(has_daily_quota)
        })
    }

    /// The delays that Google's `RetryInfo` asks for, as they are written.
    pub(crate) fn retry_delays(&self) -> impl Iterator<Item = &str> {
        self.errors()
            .into_iter()
            .flat_map(|error| typed_details(error, "google.rpc.RetryInfo"))
            .filter_map(|detail| detail.get("retryDelay")?.as_str())
    }

    /// The objects that may describe the error: the whole body, its `error`, and both in each
    /// element of an array.
    fn errors(&self) -> Vec<&Value> {
        let roots = self.0.as_array().map_or(std::slice::from_ref(&self.0), Vec::as_slice);
        roots.iter().flat_map(|root| [Some(root), root.get("error")]).flatten().collect()
    }
}

/// Every code in an error: the error itself when it is a string, its code fields and those one level below.
fn codes(error: &Value) -> impl Iterator<Item = &str> {
    let nested = NESTED
        .iter()
        .filter_map(|name| error.get(name))
        .flat_map(|member| member.as_array().map_or(std::slice::from_ref(member), Vec::as_slice));
    let fields = std::iter::once(error)
        .chain(nested)
        .flat_map(|object| CODE_FIELDS.iter().filter_map(|field| object.get(field)?.as_str()));
    error.as_str().into_iter().chain(fields)
}

fn names_incurable(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    matches!(code.as_str(), "insufficient_quota" | "enforced_spend_limit_reached" | "openrouter_free_tier_daily")
        || code.starts_with("billing_")
        // Its other names go on after the unit: free-models-per-day-high-balance.
        || code.strip_prefix("free-models-per-day").is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// The limit's name in OpenRouter's message, which is the only place that older answers have it.
/// It counts as a code because it stands in a fixed form at the start.
fn openrouter_limit(error: &Value) -> Option<&str> {
    let rest = error.get("message")?.as_str()?.strip_prefix(OPENROUTER_PREFIX)?;
    rest.split(|c: char| !c.is_ascii_lowercase() && c != '-').next()
}

/// The elements of `details` with this protobuf type (google/rpc/error_details.proto).
fn typed_details<'a>(error: &'a Value, name: &'static str) -> impl Iterator<Item = &'a Value> {
    error.get("details").and_then(Value::as_array).into_iter().flatten().filter(move |detail| {
        let url = detail.get("@type").and_then(Value::as_str).unwrap_or_default();
        url.rsplit('/').next() == Some(name)
    })
}

/// Whether a QuotaFailure names a quota per day: `GenerateRequestsPerDayPerProjectPerModel-FreeTier`.
fn has_daily_quota(failure: &Value) -> bool {
    let violations = failure.get("violations").and_then(Value::as_array).into_iter().flatten();
    violations.filter_map(|violation| violation.get("quotaId")?.as_str()).any(|id| {
        id.match_indices("PerDay").any(|(start, word)| {
            let after = id.get(start + word.len()..).unwrap_or_default();
            !after.starts_with(|c: char| c.is_ascii_lowercase())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incurable(body: &str) -> bool {
        ErrorBody::parse(body.as_bytes()).is_some_and(|body| body.is_incurable())
    }

    #[test]
    fn codes_that_waiting_cannot_cure() {
        for body in [
            r#"{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#,
            r#"{"error":{"type":"requests","code":"insufficient_quota"}}"#,
            r#"{"error":{"type":"insufficient_quota","code":null}}"#,
            r#"{"error":{"type":"billing_not_active","code":"billing_not_active"}}"#,
            r#"{"error":{"code":"billing_hard_limit_reached"}}"#,
            r#"{"type":"error","error":{"type":"billing_error","message":"…"},"request_id":"req_1"}"#,
            r#"{"type":"error","error":{"type":"rate_limit_error","message":"…","details":{"error_code":"enforced_spend_limit_reached"}}}"#,
            r#"{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429,"metadata":{"headers":{"X-RateLimit-Remaining":"0"}}},"user_id":"u"}"#,
            r#"{"error":{"message":"Rate limit exceeded: free-models-per-day-high-balance.","type":"rate_limit_error","code":"429"}}"#,
            r#"{"error":{"message":"Rate limit exceeded","code":429,"metadata":{"limit_source":"openrouter_free_tier_daily"}}}"#,
            r#"{"error":{"code":"free-models-per-day"}}"#,
            r#"{"error":{"code":"429","innererror":{"code":"insufficient_quota"}}}"#,
            r#"{"error":{"errors":[{"reason":"rateLimitExceeded"},{"reason":"BILLING_DISABLED"}],"code":429}}"#,
            r#"{"code":"insufficient_quota","message":"…"}"#,
            r#"{"errors":[{"code":"insufficient_quota"}]}"#,
            r#"{"error":"insufficient_quota"}"#,
            r#"[{"error":{"code":"insufficient_quota"}}]"#,
            r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"20"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"59s"}]}}"#,
            r#"[{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"},{"quotaId":"GenerateContentInputTokensPerModelPerDay"}]}]}}]"#,
        ] {
            assert!(incurable(body), "{body}");
        }
    }

    #[test]
    fn codes_that_waiting_cures() {
        for body in [
            r#"{"error":{"message":"Rate limit reached","type":"requests","param":null,"code":"rate_limit_exceeded"}}"#,
            r#"{"type":"error","error":{"details":null,"type":"rate_limit_error","message":"Rate limited"}}"#,
            r#"{"error":{"message":"Rate limit exceeded: free-models-per-min. ","code":429}}"#,
            r#"{"error":{"message":"Provider busy","code":429,"metadata":{"limit_source":"upstream_provider_shared_pool"}}}"#,
            r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]}]}}"#,
            r#"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"RequestsPerDaylight"}]}]}}"#,
            r#"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.Help","violations":[{"quotaId":"RequestsPerDay"}]}]}}"#,
        ] {
            assert!(!incurable(body), "{body}");
        }
    }

    #[test]
    fn prose_is_never_read() {
        for message in [
            "insufficient_quota",
            "enforced_spend_limit_reached: this organization hit its spend limit",
            "billing_hard_limit_reached",
            "You have used up free-models-per-day",
            "see Rate limit exceeded: free-models-per-day",
            "Rate limit exceeded: free-models-per-daytime",
            "Quota exceeded for GenerateRequestsPerDayPerProjectPerModel-FreeTier",
        ] {
            assert!(!incurable(&format!(r#"{{"error":{{"message":"{message}","code":429}}}}"#)), "{message}");
        }
        // A field of that name deeper down belongs to something else.
        assert!(!incurable(r#"{"error":{"code":429,"details":{"request":{"type":"billing_address"}}}}"#));
    }

    #[test]
    fn what_is_no_whole_json_says_nothing() {
        let whole = r#"{"error":{"code":"insufficient_quota"}}"#;
        for length in 0..whole.len() {
            assert!(!incurable(&whole[..length]), "{length}");
        }
        assert!(incurable(&format!("{whole}{}", " ".repeat(MAX_BODY_LOOKED_AT - whole.len()))));
        assert!(!incurable(&format!("{whole}{}", " ".repeat(MAX_BODY_LOOKED_AT - whole.len() + 1))));
        for body in ["null", "1", "[]", "{}", "\"\"", "[[[[]]]]", "insufficient_quota", "<html>"] {
            assert!(!incurable(body), "{body}");
        }
        // serde_json refuses what is nested deeper than 128.
        assert!(!incurable(&"[".repeat(50_000)));
        assert!(ErrorBody::parse(b"\xff").is_none());
    }
}
