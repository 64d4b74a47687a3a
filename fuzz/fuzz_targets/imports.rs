//! Any bytes as another tool's file: what is imported compiles and is canonical.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use mote::compiler::compile;
use mote::document::file;
use mote::document::import::{Options, import};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(imported) = import(Path::new("fuzz.plist"), bytes, &Options::default()) {
        assert!(compile(&imported.document).errors().next().is_none());
        let text = file::save(&imported.document);
        assert_eq!(file::save(&file::load(text.as_bytes()).unwrap().document), text);
    }
});
