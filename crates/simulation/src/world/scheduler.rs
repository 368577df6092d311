//! The scheduler: tasks of simulated processes, polled one at a time in an order that follows from the seed, in a
//! time that moves on only when no task is ready.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;

use super::{ProcessId, State, Task, TaskId, World, micros};

/// Wakes a task. The order of the set makes the order of wake-ups, which may be that of a hash table, irrelevant.
struct TaskWaker {
    task: TaskId,
    ready: Arc<Mutex<BTreeSet<TaskId>>>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.ready.lock().insert(self.task);
    }
}

impl World {
    /// Adds a task to a process; a dead one drops it.
    pub fn spawn(&self, process: ProcessId, work: BoxFuture<'static, ()>) {
        let mut state = self.0.state.lock();
        if !state.processes.contains_key(&process) {
            return;
        }
        state.last_task += 1;
        let task = state.last_task;
        let waker = Waker::from(Arc::new(TaskWaker { task, ready: Arc::clone(&self.0.ready) }));
        state.tasks.insert(task, Task { process, work: Some(work), waker });
        drop(state);
        self.0.ready.lock().insert(task);
    }

    /// Waits.
    pub fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send + use<> {
        let until = { self.0.state.lock().now } + micros(duration);
        Sleep { world: self.clone(), until, timer: None }
    }

    /// Lets other tasks take their turn.
    pub async fn turn(&self) {
        let mut is_over = false;
        std::future::poll_fn(|context| {
            if std::mem::replace(&mut is_over, true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    /// Polls one ready task, or moves time on to the next timer. `false` when nothing can happen any more.
    pub fn step(&self) -> bool {
        let mut state = self.0.state.lock();
        state.steps += 1;
        let ready: Vec<TaskId> = {
            let mut ready = self.0.ready.lock();
            ready.retain(|task| state.tasks.contains_key(task));
            ready.iter().filter(|task| state.can_run(**task)).copied().collect()
        };
        if ready.is_empty() {
            return state.move_time();
        }
        let Some(chosen) = ready.get(self.0.random.index(ready.len())).copied() else { return false };
        self.0.ready.lock().remove(&chosen);
        let now = state.now;
        state.trace.step(now, chosen);
        let Some(task) = state.tasks.get_mut(&chosen) else { return true };
        let (work, waker) = (task.work.take(), task.waker.clone());
        drop(state);
        let Some(mut work) = work else { return true };
        let polled = work.as_mut().poll(&mut Context::from_waker(&waker));
        let mut state = self.0.state.lock();
        if polled.is_ready() {
            state.tasks.remove(&chosen);
            drop(state);
        } else if let Some(task) = state.tasks.get_mut(&chosen) {
            task.work = Some(work);
        } else {
            // Its process was killed meanwhile.
            drop(state);
            drop(work);
        }
        true
    }
}

/// A wait until a time. It leaves no timer behind when it is dropped.
struct Sleep {
    world: World,
    until: u64,
    timer: Option<(u64, u64)>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let world = self.world.clone();
        let mut state = world.0.state.lock();
        if state.now >= self.until {
            return Poll::Ready(());
        }
        let timer = self.timer.unwrap_or_else(|| {
            state.last_timer += 1;
            (self.until, state.last_timer)
        });
        self.timer = Some(timer);
        state.timers.insert(timer, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(timer) = self.timer {
            self.world.0.state.lock().timers.remove(&timer);
        }
    }
}

impl State {
    fn can_run(&self, task: TaskId) -> bool {
        let process = self.tasks.get(&task).and_then(|task| self.processes.get(&task.process));
        process.is_some_and(|process| process.stalled_until <= self.now)
    }

    /// Moves time on to the next timer or to the end of a stall.
    fn move_time(&mut self) -> bool {
        let timer = self.timers.keys().next().map(|(due, _)| *due);
        let stalled = self.processes.values().map(|process| process.stalled_until);
        let stall = stalled.filter(|until| *until > self.now).min();
        let Some(next) = timer.into_iter().chain(stall).min() else { return false };
        self.now = self.now.max(next);
        let later = self.timers.split_off(&(self.now + 1, 0));
        let due = std::mem::replace(&mut self.timers, later);
        due.into_values().for_each(Waker::wake);
        true
    }
}
