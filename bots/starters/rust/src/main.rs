//! A bot to start from: it follows the rules of thumb in instincts.rs, else it plays at random.

mod instincts;

use ballcourt::{Bot, Decision, run};

struct Starter;

impl Bot for Starter {
    fn choose(&mut self, decision: &mut Decision) -> u32 {
        let liked = instincts::liked(decision.legal, &decision.view);
        let choices = if liked.is_empty() {
            decision.legal
        } else {
            &liked
        };
        choices[decision.random.usize(..choices.len())]
    }
}

fn main() {
    run(|| Starter)
}
