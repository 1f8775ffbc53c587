//! What a request's JSON body tells about its limit: the model, and how many tokens it may take.

use http::header;
use serde::Deserialize;
use serde_json::Value;

use crate::Request;

/// A longer body is not read for this.
const MAX_READ: usize = 4 * 1024 * 1024;
/// So many bytes of text are about one token (OpenAI's and Anthropic's rule of thumb).
const BYTES_PER_TOKEN: u64 = 4;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Told {
    pub(super) model: Option<String>,
    pub(super) tokens: f64,
}

/// The fields of the AI APIs.
#[derive(Deserialize)]
struct Fields {
    model: Option<Value>,
    max_tokens: Option<Value>,
    max_completion_tokens: Option<Value>,
    max_output_tokens: Option<Value>,
}

impl Told {
    pub(super) fn by(request: &Request) -> Self {
        let mut tokens = request.body.len().div_ceil(BYTES_PER_TOKEN) as f64;
        let Some(fields) = fields(request) else { return Self { model: None, tokens } };
        let most = [fields.max_tokens, fields.max_completion_tokens, fields.max_output_tokens];
        let most = most.into_iter().flatten().filter_map(|value| value.as_f64());
        tokens += most.fold(0.0, f64::max).min(1e9);
        let model = match fields.model {
            Some(Value::String(model)) => Some(model),
            _ => None,
        };
        Self { model, tokens }
    }
}

fn fields(request: &Request) -> Option<Fields> {
    let content_type = request.headers.get(header::CONTENT_TYPE)?.as_bytes();
    let is_json = content_type.starts_with(b"application/json");
    let body = request.body.in_memory().filter(|body| is_json && body.len() <= MAX_READ)?;
    serde_json::from_slice(body).ok()
}

/// What an answer says that the request cost: OpenAI's and Anthropic's `usage`, Google's `usageMetadata`.
pub(super) fn spent(body: &[u8]) -> Option<f64> {
    #[derive(Deserialize)]
    struct Answer {
        #[serde(alias = "usageMetadata")]
        usage: Usage,
    }
    #[derive(Deserialize)]
    struct Usage {
        #[serde(alias = "totalTokenCount")]
        total_tokens: Option<f64>,
        input_tokens: Option<f64>,
        output_tokens: Option<f64>,
    }
    let usage = serde_json::from_slice::<Answer>(body).ok()?.usage;
    let sum = || Some(usage.input_tokens? + usage.output_tokens?);
    usage.total_tokens.or_else(sum).filter(|tokens| *tokens > 0.0)
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, Method};

    use super::*;
    use crate::Body;

    fn told(content_type: &str, body: &str) -> (Option<String>, f64) {
        let told = Told::by(&Request {
            method: Method::POST,
            uri: "https://a/".parse().unwrap(),
            headers: HeaderMap::from_iter([(header::CONTENT_TYPE, content_type.parse().unwrap())]),
            body: Body::bytes(body.to_owned()),
        });
        (told.model, told.tokens)
    }

    #[test]
    fn what_a_body_tells() {
        let json = "application/json; charset=utf-8";
        for (content_type, body, model, tokens) in [
            (json, r#"{"input":"12345678","model":"m","max_tokens":100}"#, Some("m"), 112.25_f64.ceil()),
            (json, r#"{"max_completion_tokens":5,"max_tokens":7}"#, None, 18.0),
            (json, r#"{"max_output_tokens":-5}"#, None, 6.0),
            (json, r#"{"max_output_tokens":"5","model":7}"#, None, 9.0),
            (json, r#"{"max_tokens":1e300}"#, None, 1e9 + 5.0),
            (json, r#"{"model":"m""#, None, 3.0),
            (json, "[1]", None, 1.0),
            (json, "", None, 0.0),
            ("text/plain", r#"{"model":"m"}"#, None, 4.0),
        ] {
            assert_eq!(told(content_type, body), (model.map(str::to_owned), tokens), "{body}");
        }
    }

    #[test]
    fn what_an_answer_says_that_it_cost() {
        for (body, tokens) in [
            (r#"{"id":"x","usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}"#, Some(12.0)),
            (r#"{"usage":{"input_tokens":7,"output_tokens":5,"cache_read_input_tokens":0}}"#, Some(12.0)),
            (r#"{"usageMetadata":{"promptTokenCount":7,"totalTokenCount":12}}"#, Some(12.0)),
            (r#"{"usage":{"total_tokens":-1}}"#, None),
            (r#"{"usage":{"total_tokens":"12"}}"#, None),
            (r#"{"usage":{"input_tokens":7}}"#, None),
            (r#"{"usage":null}"#, None),
            ("[]", None),
            ("", None),
        ] {
            assert_eq!(spent(body.as_bytes()), tokens, "{body}");
        }
    }
}
