//! Rotation of points by the angle of a baseline.

use kurbo::Point;

/// Rotates a point so that a baseline of `angle` runs to the right.
pub(super) fn turn(point: Point, angle: u16) -> (f64, f64) {
    match angle {
        0 => (point.x, point.y),
        90 => (point.y, -point.x),
        180 => (-point.x, -point.y),
        270 => (-point.y, point.x),
        _ => {
            let (sin, cos) = f64::from(angle).to_radians().sin_cos();
            (point.x * cos + point.y * sin, point.y * cos - point.x * sin)
        }
    }
}

/// The inverse of [`turn`].
pub(super) fn turn_back(x: f64, y: f64, angle: u16) -> (f64, f64) {
    turn(Point::new(x, y), (360 - angle) % 360)
}
