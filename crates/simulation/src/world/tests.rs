//! Orders of tasks, and deaths.

use super::*;

fn two_tasks(seed: u64) -> (u64, Duration) {
    let world = World::new(seed);
    for name in ["a", "b"] {
        let own = world.clone();
        world.spawn(
            OUTSIDE,
            Box::pin(async move {
                for number in 0..5 {
                    own.sleep(Duration::from_secs(1)).await;
                    own.log(|| format!("{name}{number}"));
                }
            }),
        );
    }
    while world.step() {}
    (world.trace_hash(), world.now())
}

#[test]
fn a_seed_gives_the_same_order_again_and_another_seed_another_order() {
    assert_eq!(two_tasks(1), two_tasks(1));
    assert_ne!(two_tasks(1).0, two_tasks(2).0);
    assert_eq!(two_tasks(1).1, Duration::from_secs(5));
}

#[test]
fn a_killed_process_does_nothing_more_and_a_stalled_one_goes_on_later() {
    let world = World::new(1);
    let (killed, stalled) = (world.start_process(), world.start_process());
    let done = Arc::new(Mutex::new(Vec::new()));
    for process in [killed, stalled] {
        let (own, done) = (world.clone(), Arc::clone(&done));
        world.spawn(
            process,
            Box::pin(async move {
                own.sleep(Duration::from_secs(1)).await;
                done.lock().push((process, own.now()));
            }),
        );
    }
    world.step();
    world.step();
    world.kill(killed);
    world.stall(stalled, Duration::from_secs(9));
    while world.step() {}
    assert_eq!(*done.lock(), [(stalled, Duration::from_secs(9))]);
    world.spawn(killed, Box::pin(async { unreachable!("it is dead") }));
    assert!(!world.step());
}
