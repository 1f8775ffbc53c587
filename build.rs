//! Tells the code which PHP it is linked against (`cfg(php82)`, …), and the linker that PHP itself
//! brings the Zend symbols.

use anyhow::Result;
use ext_php_rs_build::{ApiVersion, PHPInfo, emit_check_cfg, emit_php_cfg_flags, find_php};

fn main() -> Result<()> {
    for name in ["PHP", "PHP_CONFIG", "PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");

    let info = PHPInfo::get(&find_php()?)?;
    let version: ApiVersion = info.zend_version()?.try_into()?;
    emit_check_cfg();
    emit_php_cfg_flags(version);
    if std::env::var("CARGO_CFG_TARGET_OS")? == "macos" {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-undefined,dynamic_lookup");
    } else {
        // PHP unloads its modules at the end. A name lookup may still run on a thread then, and a fork handler of the
        // code is registered for the life of the process.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    Ok(())
}
