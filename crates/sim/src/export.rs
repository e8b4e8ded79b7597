//! Trajectories as files that other tools read.

mod csv;
mod mat;
mod parquet;

pub use csv::csv;
pub use mat::mat;
pub use parquet::parquet;
