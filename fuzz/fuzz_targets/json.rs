//! Any bytes as a `.motefx.json` file: an error, or an effect that both forms keep and that plays.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    mote::inspect::fuzz::json(bytes);
});
