// Double-float arithmetic: (hi, lo) pairs. Twin of src/base/dd.rs, operation by operation.
#include "lib/fence.wgsl"

fn dd_two_sum(a: f32, b: f32) -> vec2f {
    let hi = fence1(a + b);
    let bb = fence1(hi - a);
    return vec2f(hi, fence1(a - fence1(hi - bb)) + fence1(b - bb));
}

fn dd_quick_two_sum(a: f32, b: f32) -> vec2f {
    let hi = fence1(a + b);
    return vec2f(hi, fence1(b - fence1(hi - a)));
}

fn dd_split(a: f32) -> vec2f {
    let c = fence1(DD_SPLITTER * a);
    let hi = fence1(c - fence1(c - a));
    return vec2f(hi, fence1(a - hi));
}

fn dd_two_product(a: f32, b: f32) -> vec2f {
    let hi = fence1(a * b);
    let sa = dd_split(a);
    let sb = dd_split(b);
    let first = fence1(fence1(sa.x * sb.x) - hi);
    let second = fence1(first + fence1(sa.x * sb.y));
    let third = fence1(second + fence1(sa.y * sb.x));
    return vec2f(hi, fence1(third + fence1(sa.y * sb.y)));
}

fn dd_plus(a: vec2f, b: vec2f) -> vec2f {
    let s = dd_two_sum(a.x, b.x);
    return dd_quick_two_sum(s.x, fence1(s.y + fence1(a.y + b.y)));
}

fn dd_minus(a: vec2f, b: vec2f) -> vec2f {
    return dd_plus(a, vec2f(-b.x, -b.y));
}

fn dd_times(a: vec2f, factor: f32) -> vec2f {
    let p = dd_two_product(a.x, factor);
    return dd_quick_two_sum(p.x, fence1(p.y + fence1(a.y * factor)));
}

fn dd_by(a: vec2f, b: vec2f) -> vec2f {
    let p = dd_two_product(a.x, b.x);
    return dd_quick_two_sum(p.x, fence1(p.y + fence1(fence1(a.x * b.y) + fence1(a.y * b.x))));
}

fn dd_over(a: vec2f, b: vec2f) -> vec2f {
    let first = fence1(a.x / b.x);
    let rest = dd_minus(a, dd_times(b, first));
    return dd_quick_two_sum(first, fence1(rest.x / b.x));
}

fn dd_root(a: vec2f) -> vec2f {
    let first = fence1(sqrt(a.x));
    let rest = dd_minus(a, dd_two_product(first, first));
    return dd_quick_two_sum(first, fence1(rest.x / (first + first)));
}

fn dd_less(a: vec2f, b: vec2f) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

fn dd_smaller(a: vec2f, b: vec2f) -> vec2f {
    return select(b, a, dd_less(a, b));
}
