// Floats as unsigned words of the same order, so that integer atomics find the least and the greatest.
// -0 comes just below +0; NaN has no place. Twin of src/base/keys.rs.

fn key_of(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}

// The bits of the float that a key stands for.
fn key_bits(key: u32) -> u32 {
    return key ^ select(0xffffffffu, 0x80000000u, (key >> 31u) == 1u);
}
