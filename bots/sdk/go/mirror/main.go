// The mirror bot of the contract: its answers show what the SDK passed to it.
package main

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/proto"

	"github.com/ballcourt/ballcourt-go"
	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

type mirror struct {
	match                  *ballcourt.Match
	started, ended, pushed int
	settings               string
}

func (m *mirror) MatchStarted(match *ballcourt.Match) {
	m.match = match
	m.started++
	m.pushed = 0
	m.settings = settings(ballcourt.Parameters())
}

// settings returns what the thoughts show of the parameters, if there are any.
func settings(given ballcourt.ParameterSet) string {
	if len(given.Names()) == 0 {
		return ""
	}
	return fmt.Sprintf(" shift %d weight %.0f", given.Whole("shift"), math.Floor(1000*given.Number("weight")))
}

func (m *mirror) evaluation(legal []uint32, name string) *pb.Evaluation {
	evaluation := &pb.Evaluation{Marks: []*pb.Mark{{Place: "mirror", Label: name}}}
	for seat := range m.match.Seats {
		value := -0.5
		if seat == m.match.Seat {
			value = 0.5
		}
		evaluation.Values = append(evaluation.Values, value)
	}
	for i, action := range legal {
		entry := &pb.RankedAction{Action: action, Value: float64(i) / 4, Visits: uint32(i)}
		evaluation.Ranked = append(evaluation.Ranked, entry)
	}
	return evaluation
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
	d.Thoughts += m.settings
	d.Fallback = action == d.Legal[0]
	if action == d.Legal[len(d.Legal)-1] {
		d.Evaluation = m.evaluation(d.Legal, name)
	}
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
