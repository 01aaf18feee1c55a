use ballcourt::View;
use ballcourt::v1::{
    AhauAction, AhauActor, AhauObservation, MayaAction, MayaObservation, MayaPrivate,
    TzolkinAction, TzolkinObservation, TzolkinPlayer,
};

/// Returns the legal actions that the bot prefers; empty if it has no preference.
pub fn liked(legal: &[u32], view: &View) -> Vec<u32> {
    let seat = view.seat();
    if let Some(seen) = view.observation::<TzolkinObservation>() {
        tzolkin(legal, &seen.players[seat])
    } else if let Some(seen) = view.observation::<MayaObservation>() {
        maya(legal, &seen.own.unwrap_or_default())
    } else if let Some(seen) = view.observation::<AhauObservation>() {
        ahau(legal, &seen.actors[seat])
    } else {
        vec![]
    }
}

/// Builds whenever it can, and saves corn to feed its workers.
fn tzolkin(legal: &[u32], me: &TzolkinPlayer) -> Vec<u32> {
    const BUILD: u32 = TzolkinAction::Build1 as u32; // from here on: buildings and monuments
    const END: u32 = TzolkinAction::End as u32;
    match legal.last() {
        Some(&last) if last >= BUILD => vec![last],
        _ if legal.contains(&END) && me.corn < 2 * me.workers => vec![END],
        _ => vec![],
    }
}

/// Plants while it can, the kind it has most of, and fills the board from one corner because groups score.
fn maya(legal: &[u32], own: &MayaPrivate) -> Vec<u32> {
    const PLANT: u32 = MayaAction::ActPlant as u32;
    const FIRST_TILE: u32 = MayaAction::TilePepper1 as u32;
    const STOP: u32 = MayaAction::Stop as u32;
    const FIRST_CELL: u32 = MayaAction::CellA1 as u32;
    if legal[0] == PLANT || legal[0] >= FIRST_CELL {
        return vec![legal[0]];
    }
    let tiles = legal
        .iter()
        .copied()
        .filter(|action| (FIRST_TILE..STOP).contains(action));
    // backwards, as max_by_key keeps the last of equals and the other languages the first
    let most = tiles.rev().max_by_key(|tile| own.rack[(tile - FIRST_TILE) as usize]);
    most.into_iter().collect()
}

/// Builds when it has enough resources, accepts offers, and never trades.
fn ahau(legal: &[u32], me: &AhauActor) -> Vec<u32> {
    const BUILD: u32 = AhauAction::Build as u32;
    const FIRST_TRADE: u32 = AhauAction::QueenPass as u32; // the first action of the Queen; trades follow
    const MEANS: u32 = 3;
    const DECLINED: [u32; 5] = [
        AhauAction::StandFast as u32,
        AhauAction::NoBonus as u32,
        AhauAction::NoSummon as u32,
        AhauAction::Pass as u32,
        AhauAction::StopBuilding as u32,
    ];
    if legal.contains(&BUILD) && me.resources.iter().sum::<u32>() >= MEANS {
        return vec![BUILD];
    }
    let offered = legal.iter().copied();
    offered
        .filter(|action| *action < FIRST_TRADE && !DECLINED.contains(action))
        .collect()
}
