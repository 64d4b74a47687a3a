//! Times of passes: they come back late, whole, and without waiting.

use mote::gpu::{Gpu, PassTimer};

use crate::support::gpu;

const NAMES: [&str; 3] = ["clear", "copy", "never"];

/// One frame of passes with nothing in them, each timed as the timer wants it.
fn frame(gpu: &Gpu, timer: &mut PassTimer, passes: &[usize]) -> usize {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut timed = 0;
    for &pass in passes {
        let timestamp_writes = timer.begin(pass);
        timed += usize::from(timestamp_writes.is_some());
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: None,
            timestamp_writes,
        });
    }
    timer.resolve(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    timed
}

fn wait(gpu: &Gpu) {
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
}

/// What the device complains of while `work` runs.
fn complaint(gpu: &Gpu, work: impl FnOnce()) -> Option<String> {
    let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
    work();
    pollster::block_on(scope.pop()).map(|error| error.to_string())
}

#[test]
fn timings_come_back_within_some_frames_finite_and_not_negative() {
    let (gpu, _) = gpu();
    let mut timer = PassTimer::new(gpu, &NAMES).expect("software Vulkan has timestamps");
    assert_eq!(timer.names(), NAMES);
    assert!(timer.latest().is_none());
    let complaint = complaint(gpu, || {
        for _ in 0..20 {
            assert!(
                frame(gpu, &mut timer, &[0, 1]) == 2,
                "frames that are read free their place"
            );
            timer.poll(gpu);
            wait(gpu);
        }
    });
    assert_eq!(complaint, None);
    timer.poll(gpu);
    let times = timer.latest().expect("twenty frames on");
    for time in &times[..2] {
        assert!(time.is_finite() && *time >= 0.0, "{times:?}");
    }
    assert!(times[2].is_nan(), "it never ran");
    assert!(timer.lateness() <= 1, "{}", timer.lateness());
}

#[test]
fn timings_follow_the_passes_of_each_frame_and_add_up_repeated_ones() {
    let (gpu, _) = gpu();
    let mut timer = PassTimer::new(gpu, &NAMES).unwrap();
    // A pass twice; one that is not of the list; then more than there is room for.
    assert_eq!(frame(gpu, &mut timer, &[2, 2, 7, 0]), 3);
    timer.poll(gpu);
    wait(gpu);
    timer.poll(gpu);
    let times = timer.latest().unwrap().to_vec();
    assert!(
        times[0].is_finite() && times[1].is_nan() && times[2].is_finite(),
        "{times:?}"
    );
    let timed = frame(gpu, &mut timer, &[1; 100]);
    assert!(timed < 100, "{timed}");
    timer.poll(gpu);
    wait(gpu);
    timer.poll(gpu);
    let times = timer.latest().unwrap();
    assert!(times[0].is_nan() && times[1].is_finite(), "{times:?}");
}

#[test]
fn timings_of_frames_nobody_polls_are_left_out_and_come_again() {
    let (gpu, _) = gpu();
    let mut timer = PassTimer::new(gpu, &NAMES).unwrap();
    let complaint = complaint(gpu, || {
        let timed: Vec<usize> = (0..10).map(|_| frame(gpu, &mut timer, &[0])).collect();
        assert_eq!(timed[0], 1);
        assert_eq!(
            timed[9], 0,
            "all places are taken, and the frame does not wait for one"
        );
        timer.poll(gpu);
        wait(gpu);
        timer.poll(gpu);
        assert_eq!(frame(gpu, &mut timer, &[0]), 1);
        // A frame with nothing in it.
        assert_eq!(frame(gpu, &mut timer, &[]), 0);
        timer.poll(gpu);
        wait(gpu);
        timer.poll(gpu);
    });
    assert_eq!(complaint, None);
    assert!(timer.latest().unwrap()[0].is_finite());
}

#[test]
fn timings_may_be_dropped_while_they_are_under_way() {
    let (gpu, _) = gpu();
    let complaint = complaint(gpu, || {
        let mut timer = PassTimer::new(gpu, &NAMES).unwrap();
        for _ in 0..3 {
            frame(gpu, &mut timer, &[0, 1, 2]);
            timer.poll(gpu);
        }
        // One that is resolved and not asked for, one that has begun.
        frame(gpu, &mut timer, &[0]);
        let _ = timer.begin(1);
        drop(timer);
        wait(gpu);
    });
    assert_eq!(complaint, None);
}

#[test]
fn timings_need_a_device_that_has_them() {
    let (gpu, _) = gpu();
    let (device, queue) =
        pollster::block_on(gpu.adapter.request_device(&wgpu::DeviceDescriptor::default())).unwrap();
    let bare = Gpu::from_parts(gpu.instance.clone(), gpu.adapter.clone(), device, queue);
    assert!(PassTimer::new(&bare, &NAMES).is_none());
    assert!(PassTimer::new(gpu, &[]).is_none());
}

#[test]
fn timings_of_a_step_are_those_of_the_passes_that_ran() {
    use crate::support::{Pair, drift, effect};
    let (gpu, _) = gpu();
    let emission = mote::artifact::Emission {
        rate: 200.0,
        prewarm: 0.5,
        ..Default::default()
    };
    let mut pair = Pair::with(&effect(&drift(1.0), emission), 500);
    assert!(pair.simulation.timings(gpu).is_none(), "nothing is timed");
    assert!(pair.simulation.set_timings(gpu, true));
    let mut warm = None;
    for _ in 0..4 {
        pair.step(1.0 / 60.0);
        wait(gpu);
        let times = pair.simulation.timings(gpu).unwrap();
        warm = warm.or(Some(times));
        for (&(name, count), (timed, time)) in pair.simulation.dispatches().iter().zip(times.passes) {
            assert_eq!(name, timed);
            assert_eq!(
                time.is_some(),
                count > 0,
                "{name}: {count} dispatches, {time:?} µs"
            );
        }
        assert!(times.total() > 0.0);
        // What was timed is what the twin did.
        crate::twins::assert_equal(&pair, "a timed step");
    }
    assert_eq!(warm.unwrap().step, 1);
    assert!(
        warm.unwrap().of(mote::gpu::PassId::WarmTick).is_some(),
        "the first step had a pre-warm"
    );
    pair.simulation.set_timings(gpu, false);
    pair.step(1.0 / 60.0);
    assert!(pair.simulation.timings(gpu).is_none());
}
