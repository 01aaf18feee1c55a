//! The mirror bot of the contract: its answers show what the SDK passed to it.

use ballcourt::v1::{
    AhauAction, AhauObservation, Evaluation, Mark, MatchEnd, MatchStart, MayaAction,
    MayaObservation, RankedAction, TzolkinAction, TzolkinObservation,
};
use ballcourt::{Bot, Decision, View, parameters, run};

#[derive(Default)]
struct Mirror {
    started: u32,
    ended: u32,
    pushed: u32,
    settings: String,
}

impl Bot for Mirror {
    fn match_started(&mut self, _start: &MatchStart) {
        self.started += 1;
        self.pushed = 0;
        self.settings = settings();
    }

    fn match_ended(&mut self, _end: &MatchEnd) {
        self.ended += 1;
    }

    fn observes(&self) -> bool {
        true
    }

    fn work_limited(&self) -> bool {
        true
    }

    fn observed(&mut self, _view: &View) {
        self.pushed += 1;
    }

    fn choose(&mut self, decision: &mut Decision) -> u32 {
        let view = &decision.view;
        let (figure, name_of) = seen(view);
        let told: u64 = view
            .events
            .iter()
            .map(|event| u64::from(event.action))
            .sum();
        let place = view.start.bot_seed % 1000 + told + view.seat() as u64 + u64::from(figure);
        let action = decision.legal[(place % decision.legal.len() as u64) as usize];
        let name = name_of(action as i32).map_or(action.to_string(), String::from);
        let work = view.start.clock.as_ref().map_or(0, |clock| clock.work);
        let Mirror {
            started,
            ended,
            pushed,
            settings,
        } = self;
        decision.thoughts =
            format!("{name} {figure} started {started} ended {ended} pushed {pushed}");
        if work != 0 {
            decision.thoughts += &format!(" work {work}");
        }
        decision.thoughts += settings.as_str();
        decision.fallback = action == decision.legal[0];
        if decision.legal.last() == Some(&action) {
            decision.evaluation = Some(evaluation(decision, name));
        }
        action
    }
}

/// Returns what the thoughts show of the parameters, if there are any.
fn settings() -> String {
    let given = parameters();
    if given.names().next().is_none() {
        return String::new();
    }
    let thousandths = (1000.0 * given.number("weight")).floor();
    format!(" shift {} weight {thousandths}", given.whole("shift"))
}

fn evaluation(decision: &Decision, name: String) -> Evaluation {
    let MatchStart { seat, seats, .. } = *decision.view.start;
    let rank = |(place, action): (usize, &u32)| RankedAction {
        action: *action,
        value: place as f64 / 4.0,
        visits: place as u32,
    };
    Evaluation {
        values: (0..seats)
            .map(|other| if other == seat { 0.5 } else { -0.5 })
            .collect(),
        ranked: decision.legal.iter().enumerate().map(rank).collect(),
        marks: vec![Mark {
            place: "mirror".into(),
            label: name,
        }],
    }
}

type NameOf = fn(i32) -> Option<&'static str>;

/// Returns the figure from the typed observation, and a function that names the game's actions.
fn seen(view: &View) -> (u32, NameOf) {
    let seat = view.seat();
    if let Some(seen) = view.observation::<TzolkinObservation>() {
        let name_of = |action| Some(TzolkinAction::try_from(action).ok()?.as_str_name());
        (seen.players[seat].corn, name_of)
    } else if let Some(seen) = view.observation::<MayaObservation>() {
        let name_of = |action| Some(MayaAction::try_from(action).ok()?.as_str_name());
        (seen.players[seat].score, name_of)
    } else if let Some(seen) = view.observation::<AhauObservation>() {
        let name_of = |action| Some(AhauAction::try_from(action).ok()?.as_str_name());
        (seen.actors[seat].fame, name_of)
    } else {
        (0, |_| None)
    }
}

fn main() {
    run(Mirror::default)
}
