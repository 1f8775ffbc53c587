//! The least time that the jobs can take.

/// When a token bucket, full at the start, has let `total` through.
#[must_use]
pub fn bucket(steps: &[(f64, f64)], burst: f64, total: f64) -> f64 {
    let mut left = total - burst;
    if left <= 0.0 {
        return 0.0;
    }
    let ends = steps.iter().skip(1).map(|(from, _)| *from).chain([f64::INFINITY]);
    for ((from, rate), end) in steps.iter().zip(ends) {
        if left <= rate * (end - from) {
            return from + left / rate;
        }
        left -= rate * (end - from);
    }
    f64::INFINITY
}

/// When fixed windows have let `total` through, if `workers` hands need `latency` for each and the first window ends
/// at `first_end`. `steps` has from when on how much a window counts.
#[must_use]
pub fn windows(
    steps: &[(f64, f64)],
    period: f64,
    first_end: f64,
    total: f64,
    workers: f64,
    latency: f64,
) -> f64 {
    let (mut begin, mut end, mut left) = (0.0, first_end, total);
    loop {
        let count =
            steps.iter().rev().find(|(from, _)| *from <= begin + 1e-6).map_or(0.0, |(_, count)| *count);
        let can = ((end - begin) * workers / latency).floor();
        let taken = count.min(can);
        if taken >= left {
            return begin + (left / workers).ceil() * latency;
        }
        left -= taken;
        (begin, end) = (end, end + period);
    }
}

/// What so many hands need for the work alone.
#[must_use]
pub fn work(jobs: f64, workers: f64, latency: f64) -> f64 {
    (jobs / workers).ceil() * latency
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        assert_eq!(bucket(&[(0.0, 20.0)], 50.0, 50.0), 0.0);
        assert_eq!(bucket(&[(0.0, 20.0)], 5.0, 805.0), 40.0);
        // pacing.md's step: 50 + 50·20 + 25·40 + 50·(t − 60) = 4000.
        assert_eq!(bucket(&[(0.0, 50.0), (20.0, 25.0), (60.0, 50.0)], 50.0, 4000.0), 99.0);
    }

    #[test]
    fn as_many_windows_as_it_needs() {
        let forty = &[(0.0, 40.0)];
        // 8 windows of 40, then 20 jobs for ten hands.
        assert_eq!(windows(forty, 4.0, 4.0, 340.0, 10.0, 0.5), 8.0 * 4.0 + 1.0);
        // 25 fit into the first 1.25 s, then 7 windows of 40, then 35.
        assert_eq!(windows(forty, 4.0, 1.25, 340.0, 10.0, 0.5), 1.25 + 7.0 * 4.0 + 2.0);
        assert_eq!(windows(&[(0.0, 100.0)], 10.0, 10.0, 100.0, 10.0, 0.5), 5.0);
        // 100, 100, 50, 50, 100, and 20 of the next.
        let steps = &[(0.0, 100.0), (20.0, 50.0), (40.0, 100.0)];
        assert_eq!(windows(steps, 10.0, 10.0, 420.0, 10.0, 0.5), 50.0 + 1.0);
    }

    #[test]
    fn rounds_of_work() {
        assert_eq!(work(101.0, 10.0, 0.5), 5.5);
    }
}
