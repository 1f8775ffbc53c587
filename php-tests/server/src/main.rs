//! The command line: starts the server, says where it is, and ends with its parent.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use test_server::{Options, StartError, TestServer};
use tokio::io::AsyncReadExt;
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("test-server: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), StartError> {
    let options = Options::parse(std::env::args().skip(1))?;
    let (watch_stdin, port_file) = (options.watch_stdin, options.port_file.clone());
    let server = TestServer::with(options)?;
    // Signals before the line: whoever has read it may send one at once.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(StartError::Runtime)?;
    let result = runtime.block_on(async {
        let mut term = signal(SignalKind::terminate()).map_err(StartError::Runtime)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(StartError::Runtime)?;
        announce(&server, port_file.as_deref())?;
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
            () = stdin_end(), if watch_stdin => {}
        }
        Ok(())
    });
    // A thread of tokio's may still sit in a read of stdin.
    runtime.shutdown_background();
    result
}

fn announce(server: &TestServer, port_file: Option<&Path>) -> Result<(), StartError> {
    let line = format!("{}\n", server.addresses());
    if let Some(path) = port_file {
        // Renamed into place: whoever waits for the file never sees half of it.
        let draft = path.with_extension("tmp");
        let error = |source| StartError::File { path: path.to_owned(), source };
        fs::write(&draft, &line).map_err(error)?;
        fs::rename(&draft, path).map_err(error)?;
    }
    let mut out = std::io::stdout().lock();
    let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| StartError::File { path: "stdout".into(), source })
}

/// Returns when stdin ends: the parent closed it or died.
async fn stdin_end() {
    let mut stdin = tokio::io::stdin();
    let mut ignored = [0; 256];
    while matches!(stdin.read(&mut ignored).await, Ok(n) if n > 0) {}
}
