//! A started server: its sockets, files and addresses, for as long as it lives.

use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Map, Value};
use socket2::Socket;
use tokio::runtime::{Builder, Runtime};

use crate::accept;
use crate::blackhole::Blackhole;
use crate::certs::{Certs, PemFiles};
use crate::error::StartError;
use crate::listeners::{bind_all, bind_refusing};
use crate::options::Options;
use crate::state::Shared;

/// Tells the directories of several servers in one process apart.
static STARTED: AtomicU64 = AtomicU64::new(0);

#[derive(Debug)]
pub struct Running {
    pub shared: Arc<Shared>,
    pub addresses: Map<String, Value>,
    pub ca_pem: String,
    pub files: PemFiles,
    pub runtime: Option<Runtime>,
    /// Removed at the end, if it is ours.
    own_dir: Option<PathBuf>,
    _refusing: Vec<Socket>,
    _blackhole: Option<Blackhole>,
}

impl Running {
    pub fn start(options: Options) -> Result<Self, StartError> {
        let certs = Certs::generate()?;
        let (dir, own_dir) = directory(options.dir.as_ref())?;
        let files = certs.write(&dir)?;
        let listeners = bind_all(&certs, options.ipv6)?;
        let (refusing_port, refusing) = bind_refusing(options.ipv6)?;
        let blackhole = Blackhole::open().map_err(StartError::Listen)?;

        let mut addresses = Map::new();
        for listener in &listeners {
            addresses.insert(listener.name.to_owned(), listener.url().into());
            if listener.name == "http" && listener.sockets.len() > 1 {
                addresses.insert("http6".into(), format!("http://[::1]:{}", listener.port).into());
            }
        }
        addresses.insert("refused".into(), format!("http://127.0.0.1:{refusing_port}").into());
        let black = blackhole.as_ref().map(|b| format!("http://{}", b.address));
        addresses.insert("blackhole".into(), black.into());
        addresses.insert("proxy_user".into(), options.proxy_user.clone().into());
        describe(&mut addresses, &files);

        let runtime = Builder::new_multi_thread()
            .worker_threads(options.threads.max(1))
            .thread_name("test-server")
            .enable_all()
            .build()
            .map_err(StartError::Runtime)?;
        let shared = Arc::new(Shared::default());
        let options = Arc::new(options);
        {
            let _inside = runtime.enter();
            for listener in listeners {
                accept::spawn(listener, &shared, &options).map_err(StartError::Listen)?;
            }
        }
        Ok(Self {
            shared,
            addresses,
            ca_pem: certs.ca_pem,
            files,
            runtime: Some(runtime),
            own_dir,
            _refusing: refusing,
            _blackhole: blackhole,
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Connections in the middle of something are dropped: their tests are over.
            runtime.shutdown_background();
        }
        if let Some(dir) = self.own_dir.take() {
            // A directory that somebody removed already is as good.
            let _ = fs::remove_dir_all(dir);
        }
    }
}

fn directory(wanted: Option<&PathBuf>) -> Result<(PathBuf, Option<PathBuf>), StartError> {
    let own = || {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        std::env::temp_dir().join(format!("test-server-{}-{number}", process::id()))
    };
    let dir = wanted.cloned().unwrap_or_else(own);
    fs::create_dir_all(&dir).map_err(|source| StartError::File { path: dir.clone(), source })?;
    let own_dir = wanted.is_none().then(|| dir.clone());
    Ok((dir, own_dir))
}

fn describe(addresses: &mut Map<String, Value>, files: &PemFiles) {
    let rows = [
        ("ca", &files.ca),
        ("cert", &files.cert),
        ("key", &files.key),
        ("cert_and_key", &files.cert_and_key),
        ("other_cert", &files.other_cert),
        ("other_key", &files.other_key),
        ("server_cert", &files.server_cert),
        ("server_key", &files.server_key),
    ];
    for (name, path) in rows {
        addresses.insert(name.to_owned(), path.display().to_string().into());
    }
    addresses.insert("pid".into(), process::id().into());
}
