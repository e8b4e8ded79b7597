//! Threads that answer requests, so that none waits for another and edits wait for none.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{ErrorCode, RequestId, Response};
use modeshift_driver::{Interrupted, attempt};

/// What answers a request. It owns a clone of the session, which an edit cancels and waits for.
type Work = Box<dyn FnOnce() -> Response + Send>;

struct Task {
    id: RequestId,
    work: Work,
}

/// A few threads. Dropping it lets them finish what they have and end.
pub(crate) struct Pool {
    tasks: Sender<Task>,
}

/// Most requests are short; a long one must not keep the others waiting.
const THREADS: usize = 3;

/// Deeply nested models recurse deeply.
pub(crate) const STACK: usize = 64 << 20;

impl Pool {
    /// Starts the threads, which send their responses to `responses`.
    pub fn new(responses: &Sender<Response>) -> Self {
        let (tasks, waiting) = unbounded();
        for number in 0..THREADS {
            let (waiting, responses) = (waiting.clone(), responses.clone());
            let thread = std::thread::Builder::new()
                .name(format!("answer {number}"))
                .stack_size(STACK);
            // Fewer threads answer more slowly; without any, requests stay unanswered.
            drop(thread.spawn(move || work_off(&waiting, &responses)));
        }
        Self { tasks }
    }

    pub fn answer(&self, id: RequestId, work: impl FnOnce() -> Response + Send + 'static) {
        let work = Box::new(work);
        // The threads live as long as the pool.
        let _ = self.tasks.send(Task { id, work });
    }
}

fn work_off(tasks: &Receiver<Task>, responses: &Sender<Response>) {
    for task in tasks {
        // Without a receiver the server is shutting down.
        if responses.send(run(task)).is_err() {
            return;
        }
    }
}

fn run(Task { id, work }: Task) -> Response {
    let (code, message) = match attempt(work) {
        Ok(response) => return response,
        Err(Interrupted::Edited(_)) => {
            let message = "the text has changed meanwhile";
            (ErrorCode::ContentModified, message)
        }
        Err(Interrupted::Panicked) => {
            let message = "modeshift failed to answer; this is a bug in it";
            (ErrorCode::InternalError, message)
        }
    };
    Response::new_err(id, code as i32, message.to_owned())
}
