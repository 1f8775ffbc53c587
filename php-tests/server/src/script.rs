//! Keeps the scripts by name and hands out their steps, each to exactly one request.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;

use crate::compile::compile;
use crate::spec::{StepSpec, Then};
use crate::step::{Step, StepError};

#[derive(Debug)]
pub struct Script {
    steps: Vec<Arc<Step>>,
    then: Then,
    /// Steps counted with their `times`.
    length: u64,
    taken: AtomicU64,
}

/// A step handed to a request, and its place in the script (counted with `times`, from 0, never wrapping).
#[derive(Clone, Debug)]
pub struct Turn {
    pub step: Arc<Step>,
    pub number: u64,
}

impl Script {
    /// A list of steps, or `{"steps": […], "then": …}`, or a single step.
    pub fn parse(value: Value) -> Result<Self, StepError> {
        let (list, then) = match value {
            Value::Array(list) => (list, Then::default()),
            Value::Object(mut map) if map.contains_key("steps") => {
                let then = match map.remove("then") {
                    Some(then) => serde_json::from_value(then)?,
                    None => Then::default(),
                };
                match (map.remove("steps"), map.keys().next()) {
                    (Some(Value::Array(list)), None) => (list, then),
                    (_, Some(key)) => {
                        let reason = format!("unknown field `{key}` beside \"steps\"");
                        return Err(StepError::Step { index: 0, reason });
                    }
                    _ => return Err(StepError::Empty),
                }
            }
            single => (vec![single], Then::default()),
        };
        let mut steps = Vec::with_capacity(list.len());
        for (index, value) in list.into_iter().enumerate() {
            let spec: StepSpec = serde_json::from_value(value)
                .map_err(|e| StepError::Step { index, reason: e.to_string() })?;
            let step = compile(spec).map_err(|reason| StepError::Step { index, reason })?;
            steps.push(Arc::new(step));
        }
        if steps.is_empty() {
            return Err(StepError::Empty);
        }
        let length = steps.iter().fold(0_u64, |sum, s| sum.saturating_add(s.times));
        Ok(Self { steps, then, length, taken: AtomicU64::new(0) })
    }

    fn next(&self) -> Option<Turn> {
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        let mut place = match self.then {
            Then::RepeatLast => number.min(self.length.saturating_sub(1)),
            Then::Cycle => number % self.length.max(1),
        };
        for step in &self.steps {
            if place < step.times {
                return Some(Turn { step: Arc::clone(step), number });
            }
            place -= step.times;
        }
        None
    }
}

#[derive(Debug, Default)]
pub struct Scripts {
    by_name: RwLock<HashMap<String, Arc<Script>>>,
}

impl Scripts {
    pub fn put(&self, name: &str, script: Script) -> Result<(), StepError> {
        if !is_name(name) {
            return Err(StepError::Name(name.into()));
        }
        let mut map = self.by_name.write().unwrap_or_else(PoisonError::into_inner);
        map.insert(name.to_owned(), Arc::new(script));
        Ok(())
    }

    pub fn remove(&self, name: &str) -> bool {
        self.by_name.write().unwrap_or_else(PoisonError::into_inner).remove(name).is_some()
    }

    /// The next step of `name`, which from now on belongs to the caller.
    pub fn take(&self, name: &str) -> Option<Turn> {
        self.by_name.read().unwrap_or_else(PoisonError::into_inner).get(name)?.next()
    }

    /// How many steps were taken, and how many there are.
    pub fn progress(&self, name: &str) -> Option<(u64, u64)> {
        let map = self.by_name.read().unwrap_or_else(PoisonError::into_inner);
        let script = map.get(name)?;
        Some((script.taken.load(Ordering::Relaxed), script.length))
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn statuses(script: Value, count: usize) -> Vec<u16> {
        let script = Script::parse(script).unwrap();
        (0..count).map(|_| script.next().unwrap().step.status).collect()
    }

    #[test]
    fn the_last_step_repeats_or_the_script_cycles() {
        let steps = json!([{"status": 429, "times": 2}, {"status": 200}]);
        assert_eq!(statuses(steps.clone(), 5), [429, 429, 200, 200, 200]);
        assert_eq!(
            statuses(json!({"steps": steps, "then": "cycle"}), 7),
            [429, 429, 200, 429, 429, 200, 429]
        );
    }

    #[test]
    fn a_mistake_is_named_with_its_step() {
        let wrong = [
            (json!([]), "at least one"),
            (json!([{}, {"staus": 200}]), "step 1: unknown field `staus`"),
            (json!([{"action": "redirect"}]), "location"),
            (json!([{"body": "a", "body_base64": "YQ=="}]), "only one"),
            (json!({"steps": [{}], "than": "cycle"}), "than"),
        ];
        for (script, part) in wrong {
            let error = Script::parse(script).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
