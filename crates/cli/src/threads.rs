//! How many threads a command uses.

use crate::ui::Failure;

/// `--jobs`
#[derive(clap::Args, Debug, Clone, Copy)]
pub struct Jobs {
    /// How many threads to use; 0 means one per core
    #[arg(short, long, value_name = "N", default_value_t = 0)]
    jobs: usize,
}

/// Enough for trees nested as deep as the parser allows.
const STACK_SIZE: usize = 16 << 20;
/// More threads than this help nobody, and may be more than the system gives.
const MOST: usize = 256;

impl Jobs {
    /// Runs `work` so that rayon's parallel iterators in it use that many threads.
    pub fn install<T: Send>(self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.min(MOST))
            .stack_size(STACK_SIZE)
            .build()
            .map_err(|error| Failure::Io(std::io::Error::other(error)))?;
        Ok(pool.install(work))
    }
}
