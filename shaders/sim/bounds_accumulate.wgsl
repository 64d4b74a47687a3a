// Bounds accumulate: counts each row's living and gathers the box around them and their sprites, in the world.
// Reads alive, pool, emitters, transforms, args. Writes the rows' counters. One thread a particle.
// Twin of src/reference/bounds.rs.
#include "sim/common.wgsl"
#include "lib/rows.wgsl"
#include "lib/keys.wgsl"
#include "lib/fence.wgsl"

// The row that most of a workgroup is likely to have gathers here before it goes to the buffer.
var<workgroup> bounds_row: u32;
var<workgroup> bounds_living: atomic<u32>;
var<workgroup> bounds_keys: array<atomic<u32>, 6>;

fn bounds_channel(record: u32, channel: u32) -> vec4f {
    let word = channel & 0xffu;
    let quad = pool[record + (word >> 2u)];
    let begin = word & 3u;
    return bitcast<vec4f>(vec4u(quad[begin], quad[min(begin + 1u, 3u)], quad[min(begin + 2u, 3u)], quad[3u]));
}

fn bounds_length3(v: vec3f) -> f32 {
    let p = fence3(v * v);
    return sqrt(p.x + p.y + p.z);
}

// The farthest a sprite's corner lies from its particle, whatever turns it.
fn bounds_reach(row: u32, record: u32) -> f32 {
    var size = vec2f(DEFAULT_SIZE);
    let size_channel = row_u(row, EMITTER_ROW_CHANNEL_SIZE);
    if (size_channel != UNBOUND) {
        let words = bounds_channel(record, size_channel);
        size = select(words.xy, words.xx, (size_channel >> CHANNEL_WIDTH_SHIFT) == 1u);
    }
    size = abs(size);
    let velocity_channel = row_u(row, EMITTER_ROW_CHANNEL_VELOCITY);
    if (row_u(row, EMITTER_ROW_PROJECTION) == PROJECTION_STRETCHED && velocity_channel != UNBOUND) {
        let speed = bounds_length3(bounds_channel(record, velocity_channel).xyz);
        var factor = 1.0 + fence1(row_f(row, EMITTER_ROW_STRETCH) * speed);
        let limit = row_f(row, EMITTER_ROW_STRETCH_LIMIT);
        if (limit > 0.0 && factor > limit) {
            factor = limit;
        }
        size.y = size.y * factor;
    }
    let half = vec2f(
        fence1(size.x * (0.5 + abs(row_f(row, EMITTER_ROW_PIVOT_X)))),
        fence1(size.y * (0.5 + abs(row_f(row, EMITTER_ROW_PIVOT_Y)))),
    );
    return sqrt(fence1(half.x * half.x) + fence1(half.y * half.y));
}

@compute @workgroup_size(BUCKET_THREADS)
fn main(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = flat_bucket_index(group, lane, groups.x);
    var lives = index < args[ARGS_ALIVE_COUNT];
    var row = 0u;
    var boxed = false;
    var low = vec3f(0.0);
    var high = vec3f(0.0);
    if (lives) {
        let record = alive[index] * (RECORD_WORDS / 4u);
        let header = pool[record].x;
        row = header & 0xffffu;
        lives = (header >> 16u) != 0u && row < frame.row_count && row_u(row, EMITTER_ROW_GENERATION) == (header >> 16u);
        if (lives) {
            var center = vec3f(0.0);
            let position_channel = row_u(row, EMITTER_ROW_CHANNEL_POSITION);
            if (position_channel != UNBOUND) {
                center = bounds_channel(record, position_channel).xyz;
            }
            var reach = bounds_reach(row, record);
            if (row_u(row, EMITTER_ROW_LOCAL_SPACE) != 0u) {
                let first = row_u(row, EMITTER_ROW_TRANSFORM) * (TRANSFORM_WORDS / 4u);
                let a = transforms[first];
                let b = transforms[first + 1u];
                let c = transforms[first + 2u];
                let pa = fence3(a.xyz * center);
                let pb = fence3(b.xyz * center);
                let pc = fence3(c.xyz * center);
                center = vec3f(pa.x + pa.y + pa.z + a.w, pb.x + pb.y + pb.z + b.w, pc.x + pc.y + pc.z + c.w);
                let x = bounds_length3(vec3f(a.x, b.x, c.x));
                let y = bounds_length3(vec3f(a.y, b.y, c.y));
                let z = bounds_length3(vec3f(a.z, b.z, c.z));
                var scale = x;
                if (y > scale) { scale = y; }
                if (z > scale) { scale = z; }
                reach = fence1(reach * scale);
            }
            let slack = fence3(abs(center) * BOUNDS_SLACK) + fence1(reach * BOUNDS_SLACK);
            low = center - reach - slack;
            high = center + reach + slack;
            let low_bad = (bitcast<vec3u>(low) & vec3u(0x7f800000u)) == vec3u(0x7f800000u);
            let high_bad = (bitcast<vec3u>(high) & vec3u(0x7f800000u)) == vec3u(0x7f800000u);
            boxed = !(any(low_bad) || any(high_bad));
        }
    }
    if (lane == 0u) {
        bounds_row = select(0xffffffffu, row, lives);
        atomicStore(&bounds_living, 0u);
        for (var i = 0u; i < 3u; i++) {
            atomicStore(&bounds_keys[i], 0xffffffffu);
            atomicStore(&bounds_keys[i + 3u], 0u);
        }
    }
    workgroupBarrier();
    let shares = row == bounds_row;
    if (lives && shares) {
        atomicAdd(&bounds_living, 1u);
        if (boxed) {
            for (var i = 0u; i < 3u; i++) {
                let k = key_of(low[i]);
                if (k < atomicLoad(&bounds_keys[i])) { atomicMin(&bounds_keys[i], k); }
                let m = key_of(high[i]);
                if (m > atomicLoad(&bounds_keys[i + 3u])) { atomicMax(&bounds_keys[i + 3u], m); }
            }
        }
    } else if (lives) {
        bounds_merge(row, 1u, boxed, vec3u(key_of(low.x), key_of(low.y), key_of(low.z)), vec3u(key_of(high.x), key_of(high.y), key_of(high.z)));
    }
    workgroupBarrier();
    if (lane == 0u && bounds_row != 0xffffffffu) {
        let least = vec3u(atomicLoad(&bounds_keys[0]), atomicLoad(&bounds_keys[1]), atomicLoad(&bounds_keys[2]));
        let most = vec3u(atomicLoad(&bounds_keys[3]), atomicLoad(&bounds_keys[4]), atomicLoad(&bounds_keys[5]));
        bounds_merge(bounds_row, atomicLoad(&bounds_living), least.x <= most.x, least, most);
    }
}

fn bounds_merge(row: u32, living: u32, boxed: bool, least: vec3u, most: vec3u) {
    let first = COUNTER_HEADER_WORDS + row * ROW_COUNTER_WORDS;
    atomicAdd(&counters[first], living);
    if (!boxed) {
        return;
    }
    for (var i = 0u; i < 3u; i++) {
        let low = first + ROW_COUNTER_MIN + i;
        let high = first + ROW_COUNTER_MAX + i;
        if (least[i] < atomicLoad(&counters[low])) { atomicMin(&counters[low], least[i]); }
        if (most[i] > atomicLoad(&counters[high])) { atomicMax(&counters[high], most[i]); }
    }
}
