//! A bot to begin with: it plays by instinct where it has one for the game and the question, and
//! else at random.

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
