//! What a request costs and of which model it speaks, as its JSON body says.

use serde::Deserialize;
use serde_json::{Value, json};

/// The fields of the known APIs; anything else in the body, or no JSON at all, is as if they were absent.
#[derive(Debug, Default, Deserialize)]
struct Asked {
    model: Option<Value>,
    max_tokens: Option<Value>,
    max_completion_tokens: Option<Value>,
    max_output_tokens: Option<Value>,
}

/// What the body says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub model: Option<String>,
    /// The most that the answer may take; 0 if nothing is said.
    pub max: u64,
    /// A quarter of the body's bytes.
    pub prompt: u64,
}

impl Said {
    /// `length` is that of the whole body, of which `body` is what was kept.
    #[must_use]
    pub fn read(body: &[u8], length: u64) -> Self {
        let asked: Asked = serde_json::from_slice(body).unwrap_or_default();
        let max = [asked.max_tokens, asked.max_completion_tokens, asked.max_output_tokens];
        Self {
            model: asked.model.as_ref().and_then(Value::as_str).map(str::to_owned),
            max: max.iter().flatten().find_map(Value::as_u64).unwrap_or(0),
            prompt: length.div_ceil(4),
        }
    }
}

/// How much a request takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    Fixed(u64),
    /// `max` and `prompt` of the body, of which the answer then uses this share of `max`.
    Body {
        used: f64,
    },
}

/// The cost of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    pub taken: u64,
    /// What turns out to be unused.
    pub give_back: u64,
    /// For the answer's body.
    pub usage: Option<Value>,
}

impl Cost {
    #[must_use]
    pub fn price(self, said: &Said) -> Price {
        match self {
            Self::Fixed(taken) => Price { taken, give_back: 0, usage: None },
            Self::Body { used } => {
                let completion = ((said.max as f64 * used).round() as u64).min(said.max);
                let usage = json!({
                    "prompt_tokens": said.prompt,
                    "completion_tokens": completion,
                    "total_tokens": said.prompt.saturating_add(completion),
                });
                Price {
                    taken: said.prompt.saturating_add(said.max),
                    give_back: said.max - completion,
                    usage: Some(usage),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_apis_call_it() {
        let said = |body: &str| Said::read(body.as_bytes(), body.len() as u64);
        assert_eq!(
            said(r#"{"model":"m","max_tokens":7}"#),
            Said { model: Some("m".into()), max: 7, prompt: 7 }
        );
        assert_eq!(said(r#"{"max_completion_tokens":8,"max_tokens":null}"#).max, 8);
        assert_eq!(said(r#"{"max_output_tokens":9,"model":3}"#), Said { model: None, max: 9, prompt: 9 });
        assert_eq!(said("no json"), Said { model: None, max: 0, prompt: 2 });
        assert_eq!(said(""), Said::default());
    }

    #[test]
    fn takes_all_that_was_asked_and_gives_back_what_was_not_used() {
        let said = Said { model: None, max: 101, prompt: 20 };
        let price = Cost::Body { used: 0.5 }.price(&said);
        assert_eq!((price.taken, price.give_back), (121, 50));
        assert_eq!(
            price.usage,
            Some(json!({"prompt_tokens": 20, "completion_tokens": 51, "total_tokens": 71}))
        );
        assert_eq!(Cost::Body { used: 1.0 }.price(&said).give_back, 0);
        assert_eq!(Cost::Fixed(5).price(&said), Price { taken: 5, give_back: 0, usage: None });
    }
}
