//! Makes the Rust kit's messages out of the protocol, without protoc:
//! `cargo run --manifest-path protos/rust/Cargo.toml`, or with a folder to write to.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let protos = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let kit = protos.join("../sample_bots/rust/tongits/src");
    let out = std::env::args_os().nth(1).map_or(kit, PathBuf::from);
    let files = protox::compile(["tongits/v1/table.proto"], [&protos])?;
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .out_dir(&out)
        .compile_fds(files)?;
    std::fs::rename(out.join("tongits.v1.rs"), out.join("table.rs"))?;
    Ok(())
}
