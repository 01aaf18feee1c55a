// The mirror bot of the contract: its answers show what the SDK passed to it.
package main

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"ballcourt"
	pb "ballcourt/ballcourtv1"
)

type mirror struct {
	match                  *ballcourt.Match
	started, ended, pushed int
}

func (m *mirror) MatchStarted(match *ballcourt.Match) {
	m.match = match
	m.started++
	m.pushed = 0
}

func (m *mirror) Observed(*ballcourt.View) { m.pushed++ }

func (m *mirror) WorkLimited() bool { return true }

func (m *mirror) MatchEnded(*pb.MatchEnd) { m.ended++ }

func (m *mirror) Choose(d *ballcourt.Decision) uint32 {
	figure, names := m.seen(d)
	place := m.match.BotSeed%1000 + uint64(m.match.Seat) + uint64(figure)
	for _, event := range d.Events {
		place += uint64(event.Action)
	}
	action := d.Legal[place%uint64(len(d.Legal))]
	name, known := names[int32(action)]
	if !known {
		name = fmt.Sprint(action)
	}
	d.Thoughts = fmt.Sprintf("%s %d started %d ended %d pushed %d", name, figure, m.started, m.ended, m.pushed)
	if work := m.match.Clock.GetWork(); work != 0 {
		d.Thoughts += fmt.Sprintf(" work %d", work)
	}
	d.Fallback = action == d.Legal[0]
	return action
}

// seen returns the figure from the typed observation, and the names of the game's actions.
func (m *mirror) seen(d *ballcourt.Decision) (uint32, map[int32]string) {
	var observation proto.Message
	observation, err := d.Observation()
	if err != nil {
		return 0, nil
	}
	switch game := observation.(type) {
	case *pb.TzolkinObservation:
		return game.Players[m.match.Seat].Corn, pb.TzolkinAction_name
	case *pb.MayaObservation:
		return game.Players[m.match.Seat].Score, pb.MayaAction_name
	case *pb.AhauObservation:
		return game.Actors[m.match.Seat].Fame, pb.AhauAction_name
	}
	return 0, nil
}

func main() { ballcourt.Run(func() ballcourt.Bot { return &mirror{} }) }
