//! Where bots compute when they are asked to end.

use std::backtrace::Backtrace;
use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

use libc::{SIGUSR1, c_int, pthread_kill, pthread_self, pthread_t, sigaction};

const STEP: Duration = Duration::from_millis(10);
const STEPS: usize = 50;

static COMPUTING: Mutex<Vec<pthread_t>> = Mutex::new(vec![]);
static STACKS: Mutex<Vec<String>> = Mutex::new(vec![]);

/// Says, while it exists, that this thread computes for a bot and does not wait for the arena.
pub(crate) struct Computing(pthread_t);

impl Computing {
    pub(crate) fn here() -> Self {
        let thread = unsafe { pthread_self() };
        COMPUTING.lock().expect("it does not panic").push(thread);
        Computing(thread)
    }
}

impl Drop for Computing {
    fn drop(&mut self) {
        let mut computing = COMPUTING.lock().expect("it does not panic");
        computing.retain(|thread| *thread != self.0);
    }
}

/// Returns the stacks of the threads that compute. Each is interrupted and says where it is; one that
/// cannot say it, as it was in the middle of an allocation, is left out after half a second.
pub(crate) fn stacks() -> Vec<String> {
    let computing = COMPUTING.lock().expect("it does not panic"); // so that none of them ends
    let asked = unsafe {
        let mut action: sigaction = zeroed();
        action.sa_sigaction = say as extern "C" fn(c_int) as usize;
        sigaction(SIGUSR1, &action, null_mut());
        let heard = |thread: &&pthread_t| pthread_kill(**thread, SIGUSR1) == 0;
        computing.iter().filter(heard).count()
    };
    for _ in 0..STEPS {
        if STACKS.lock().expect("it does not panic").len() >= asked {
            break;
        }
        sleep(STEP);
    }
    std::mem::take(&mut *STACKS.lock().expect("it does not panic"))
}

extern "C" fn say(_: c_int) {
    let stack = Backtrace::force_capture().to_string();
    if let Ok(mut stacks) = STACKS.lock() {
        stacks.push(stack);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc::channel;
    use std::thread::spawn;

    use super::*;

    static DONE: AtomicBool = AtomicBool::new(false);

    #[inline(never)]
    fn spins_here() {
        while !DONE.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn only_a_thread_that_computes_says_where_it_is() {
        assert_eq!(stacks(), Vec::<String>::new());
        let (tell, told) = channel();
        let thread = spawn(move || {
            let _computing = Computing::here();
            tell.send(()).unwrap();
            spins_here();
        });
        told.recv().unwrap();
        let found = stacks();
        DONE.store(true, Ordering::Relaxed);
        thread.join().unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("busy::tests::"), "{}", found[0]);
        assert_eq!(stacks(), Vec::<String>::new());
    }
}
