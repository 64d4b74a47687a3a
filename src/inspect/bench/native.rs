//! The benchmarks' programs as loops by hand: fields are gathered into arrays, a block of particles at a time,
//! so that the compiler vectorises the arithmetic, and scattered back. Sums and products stand in the programs'
//! order, so that the records are the same to the bit.

use crate::base::rng::hash;
use crate::vm::poly;
use crate::vm::trial::Record;

/// Particles of a block.
const BLOCK: usize = 64;

type Lanes = [f32; BLOCK];

/// A loop compiled once more for processors with AVX2, as the batched executor is.
macro_rules! vectorised {
    ($(#[doc = $doc:literal])* $name:ident = $body:ident) => {
        $(#[doc = $doc])*
        pub(super) fn $name(records: &mut [Record], dt: f32) {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[target_feature(enable = "avx2")]
                fn wide(records: &mut [Record], dt: f32) {
                    records.chunks_mut(BLOCK).for_each(|block| $body(block, dt));
                }
                #[allow(
                    unsafe_code,
                    reason = "the only way to call code compiled for a feature the target lacks"
                )]
                // SAFETY: the processor has just been found to have AVX2, which is all the callee needs.
                unsafe {
                    wide(records, dt);
                }
                return;
            }
            records.chunks_mut(BLOCK).for_each(|block| $body(block, dt));
        }
    };
}

vectorised! {
    /// `assets/bench/short.asm`.
    short = short_block
}
vectorised! {
    /// `assets/bench/long.asm`.
    long = long_block
}
vectorised! {
    /// `assets/bench/vectors.asm`.
    vectors = vectors_block
}

/// A word of each record of a block.
#[inline(always)]
fn gather(block: &[Record], word: usize) -> Lanes {
    let mut lanes = [0.0; BLOCK];
    for (lane, record) in lanes.iter_mut().zip(block) {
        *lane = f32::from_bits(record[word]);
    }
    lanes
}

#[inline(always)]
fn scatter(block: &mut [Record], word: usize, lanes: &Lanes) {
    for (record, lane) in block.iter_mut().zip(lanes) {
        record[word] = lane.to_bits();
    }
}

#[inline(always)]
fn short_block(block: &mut [Record], dt: f32) {
    let mut p = [4, 5, 6].map(|word| gather(block, word));
    let mut v = [8, 9, 10].map(|word| gather(block, word));
    let mut age = gather(block, 7);
    let decay = poly::exp2(dt * -1.8);
    for i in 0..BLOCK {
        let [mut x, mut y, mut z] = [v[0][i] * decay, v[1][i] * decay, v[2][i] * decay];
        y += dt * -9.81;
        [v[0][i], v[1][i], v[2][i]] = [x, y, z];
        x = x * dt + p[0][i];
        y = y * dt + p[1][i];
        z = z * dt + p[2][i];
        [p[0][i], p[1][i], p[2][i]] = [x, y, z];
        age[i] += dt;
    }
    for axis in 0..3 {
        scatter(block, 4 + axis, &p[axis]);
        scatter(block, 8 + axis, &v[axis]);
    }
    scatter(block, 7, &age);
}

/// Adds a layer of the swirl to the velocities: the slopes of value noise over a lattice, turned.
#[inline(always)]
fn swirl(p: &[Lanes; 3], v: &mut [Lanes; 3], [frequency, offset, seed]: [f32; 3], of: &Layer) {
    for i in 0..BLOCK {
        let at = [0, 1, 2].map(|axis: usize| p[axis][i] * frequency + offset);
        let cell = at.map(f32::floor);
        let part = [0, 1, 2].map(|axis: usize| at[axis] - cell[axis]);
        let square = part.map(|x| x * x);
        let fade = [0, 1, 2].map(|axis: usize| (part[axis] * -2.0 + 3.0) * square[axis]);
        let slope = [0, 1, 2].map(|axis: usize| (part[axis] - square[axis]) * 6.0);
        let next = cell.map(|x| x + 1.0);
        let columns = [hash(cell[0], seed), hash(next[0], seed)];
        // By x, then y: the near corner and the way to the far one, mixed between them.
        let mut mixed = [[0.0; 2]; 2];
        let mut deep = [[0.0; 2]; 2];
        for x in 0..2 {
            for (y, row) in [cell[1], next[1]].into_iter().enumerate() {
                let corner = hash(row, columns[x]);
                let near = hash(cell[2], corner);
                deep[x][y] = hash(next[2], corner) - near;
                mixed[x][y] = deep[x][y] * fade[2] + near;
            }
        }
        let rise = [0, 1].map(|x: usize| mixed[x][1] - mixed[x][0]);
        let side = [0, 1].map(|x: usize| rise[x] * fade[1] + mixed[x][0]);
        let raw = [
            side[1] - side[0],
            (rise[0] + rise[1]) * of.upward,
            deep[0][0] + deep[1][1],
        ];
        let g = [0, 1, 2].map(|axis: usize| raw[axis] * slope[axis]);
        for (axis, a, b) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            let turned = g[a] - g[b];
            let way = match of.drag {
                Some(drag) => v[axis][i] * drag + turned,
                None => turned,
            };
            v[axis][i] += (way * of.dt) * of.strength;
        }
    }
}

/// How a layer of the swirl acts.
struct Layer {
    dt: f32,
    strength: f32,
    upward: f32,
    drag: Option<f32>,
}

#[inline(always)]
fn long_block(block: &mut [Record], dt: f32) {
    let mut p = [4, 5, 6].map(|word| gather(block, word));
    let mut v = [8, 9, 10].map(|word| gather(block, word));
    let mut age = gather(block, 7);
    let lifetime = gather(block, 11);
    let mut size = [0.0; BLOCK];
    let mut color = [[0.0; BLOCK]; 4];
    let coarse = Layer {
        dt,
        strength: 2.0,
        upward: 0.5,
        drag: None,
    };
    let fine = Layer {
        dt,
        strength: 0.5,
        upward: 1.0,
        drag: Some(-0.1),
    };
    swirl(&p, &mut v, [0.7, 11.5, 3.0], &coarse);
    swirl(&p, &mut v, [2.1, 5.75, 5.0], &fine);
    let decay = poly::exp2(dt * -1.8);
    let fall = [0.0, -9.81, 0.0];
    for axis in 0..3 {
        for i in 0..BLOCK {
            let kept = v[axis][i] * decay;
            v[axis][i] = if axis == 1 { dt * fall[axis] + kept } else { kept };
            p[axis][i] += v[axis][i] * dt;
        }
    }
    for i in 0..BLOCK {
        age[i] += dt;
        let part = age[i] / lifetime[i];
        let part = if part < 1.0 { part } else { 1.0 };
        let eased = part * part;
        size[i] = ((1.0 - part) * part) * 0.4;
        for (lane, (from, by, end)) in [
            (1.0, -0.5, 0.1),
            (0.9, -0.6, 0.1),
            (0.5, -0.4, 0.1),
            (1.0, -0.2, 0.0),
        ]
        .into_iter()
        .enumerate()
        {
            let first = part * by + from;
            color[lane][i] = (end - first) * eased + first;
        }
    }
    for axis in 0..3 {
        scatter(block, 4 + axis, &p[axis]);
        scatter(block, 8 + axis, &v[axis]);
    }
    scatter(block, 7, &age);
    for (lane, values) in color.iter().enumerate() {
        scatter(block, 12 + lane, values);
    }
    scatter(block, 16, &size);
}

/// The gradient of value noise over a lattice, without its constant factor, for a block of places.
#[inline(always)]
fn gradient(p: &[Lanes; 3], frequency: f32, offset: f32, seed: f32) -> [Lanes; 3] {
    let mut cell = [[0.0; BLOCK]; 3];
    let mut fade = [[0.0; BLOCK]; 3];
    let mut slope = [[0.0; BLOCK]; 3];
    for axis in 0..3 {
        for i in 0..BLOCK {
            let at = p[axis][i] * frequency + offset;
            let whole = at.floor();
            let part = at - whole;
            let square = part * part;
            cell[axis][i] = whole;
            fade[axis][i] = (part * -2.0 + 3.0) * square;
            slope[axis][i] = (part - square) * 6.0;
        }
    }
    // Corner by corner: near and far sheet, then y, then x.
    let mut near = [[0.0; BLOCK]; 4];
    let mut d = [[0.0; BLOCK]; 4];
    for (corner, (x, y)) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
        .into_iter()
        .enumerate()
    {
        for i in 0..BLOCK {
            let row = cell[1][i] + y;
            let low = hash(cell[0][i] + x, hash(row, hash(cell[2][i], seed)));
            let high = hash(cell[0][i] + x, hash(row, hash(cell[2][i] + 1.0, seed)));
            near[corner][i] = low;
            d[corner][i] = high - low;
        }
    }
    let mut out = [[0.0; BLOCK]; 3];
    for i in 0..BLOCK {
        let m0 = d[0][i] * fade[2][i] + near[0][i];
        let m1 = d[1][i] * fade[2][i] + near[1][i];
        let m2 = d[2][i] * fade[2][i] + near[2][i];
        let m3 = d[3][i] * fade[2][i] + near[3][i];
        let (dx0, dx1) = (m1 - m0, m3 - m2);
        let (mx0, mx1) = (dx0 * fade[0][i] + m0, dx1 * fade[0][i] + m2);
        let gx = (dx1 - dx0) * fade[1][i] + dx0;
        let gy = mx1 - mx0;
        let dz0 = (d[1][i] - d[0][i]) * fade[0][i] + d[0][i];
        let dz1 = (d[3][i] - d[2][i]) * fade[0][i] + d[2][i];
        let gz = (dz1 - dz0) * fade[1][i] + dz0;
        out[0][i] = gx * slope[0][i];
        out[1][i] = gy * slope[1][i];
        out[2][i] = gz * slope[2][i];
    }
    out
}

#[inline(always)]
fn vectors_block(block: &mut [Record], dt: f32) {
    let mut p = [4, 5, 6].map(|word| gather(block, word));
    let mut v = [8, 9, 10].map(|word| gather(block, word));
    let mut age = gather(block, 7);
    let lifetime = gather(block, 11);
    let mut size = [0.0; BLOCK];
    let mut color = [[0.0; BLOCK]; 4];
    let a = gradient(&p, 0.7, 11.5, 3.0);
    let b = gradient(&p, 0.7, 47.25, 5.0);
    let fine = gradient(&p, 2.1, 5.75, 7.0);
    let pull = dt * 2.0;
    for (axis, next, last) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        for i in 0..BLOCK {
            let curl = a[next][i] * b[last][i] - a[last][i] * b[next][i];
            let way = (fine[axis][i] * 0.25 + curl) - v[axis][i];
            v[axis][i] += way * pull;
            p[axis][i] += v[axis][i] * dt;
        }
    }
    for i in 0..BLOCK {
        age[i] += dt;
        let part = age[i] / lifetime[i];
        let part = if part < 1.0 { part } else { 1.0 };
        size[i] = ((1.0 - part) * part) * 0.4;
        for (lane, (from, by)) in [(1.0, -0.9), (0.9, -0.8), (0.5, -0.4), (1.0, -1.0)]
            .into_iter()
            .enumerate()
        {
            color[lane][i] = part * by + from;
        }
    }
    for axis in 0..3 {
        scatter(block, 4 + axis, &p[axis]);
        scatter(block, 8 + axis, &v[axis]);
    }
    scatter(block, 7, &age);
    for (lane, values) in color.iter().enumerate() {
        scatter(block, 12 + lane, values);
    }
    scatter(block, 16, &size);
}
