//! Named gates that hold answers back until a test opens them, so that no test needs a sleep for order.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

#[derive(Debug, Default)]
pub struct Gates {
    by_name: Mutex<HashMap<String, watch::Sender<bool>>>,
}

impl Gates {
    /// Returns at once if the gate is open, else when it opens.
    pub async fn pass(&self, name: &str) {
        let mut gate = {
            let mut map = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
            map.entry(name.to_owned()).or_insert_with(|| watch::Sender::new(false)).subscribe()
        };
        // An error means that the gate was taken away with the server.
        let _ = gate.wait_for(|open| *open).await;
    }

    pub fn set(&self, name: &str, open: bool) {
        let mut map = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        map.entry(name.to_owned()).or_insert_with(|| watch::Sender::new(false)).send_replace(open);
    }
}
