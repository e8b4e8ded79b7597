//! Complex numbers.

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex(pub f64, pub f64);

impl Complex {
    pub fn add(self, b: Self) -> Self {
        Self(self.0 + b.0, self.1 + b.1)
    }
    pub fn sub(self, b: Self) -> Self {
        Self(self.0 - b.0, self.1 - b.1)
    }
    pub fn mul(self, b: Self) -> Self {
        Self(self.0 * b.0 - self.1 * b.1, self.0 * b.1 + self.1 * b.0)
    }
    pub fn div(self, b: Self) -> Self {
        let size = b.0 * b.0 + b.1 * b.1;
        let top = self.mul(b.conj());
        Self(top.0 / size, top.1 / size)
    }
    pub fn conj(self) -> Self {
        Self(self.0, -self.1)
    }
    pub fn abs(self) -> f64 {
        self.0.hypot(self.1)
    }
    pub fn sqrt(self) -> Self {
        let size = self.abs();
        let re = ((size + self.0) / 2.0).max(0.0).sqrt();
        let im = ((size - self.0) / 2.0).max(0.0).sqrt();
        Self(re, if self.1 < 0.0 { -im } else { im })
    }
    pub fn times(self, k: f64) -> Self {
        Self(self.0 * k, self.1 * k)
    }
}
