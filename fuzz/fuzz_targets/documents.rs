//! Any bytes as a document: it compiles to an effect that validates, or there is a diagnostic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mote::compiler::compile;
use mote::document::file;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(loaded) = file::load(bytes) {
        let text = file::save(&loaded.document);
        assert_eq!(file::save(&file::load(text.as_bytes()).unwrap().document), text);
        let compiled = compile(&loaded.document);
        assert!(compiled.effect.is_some() || compiled.errors().next().is_some());
    }
});
