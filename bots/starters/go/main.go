// A bot to start from: it follows the rules of thumb in tzolkin.go, maya.go and ahau.go, else it plays at random.
package main

import (
	"math/rand/v2"

	"github.com/ballcourt/ballcourt-go"
	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

type bot struct {
	random *rand.Rand
}

func (b *bot) MatchStarted(match *ballcourt.Match) { b.random = match.Random }

func (b *bot) Choose(d *ballcourt.Decision) uint32 {
	choices := instinct(d)
	if len(choices) == 0 {
		choices = d.Legal
	}
	return choices[b.random.IntN(len(choices))]
}

// instinct returns the legal actions that the bot prefers; empty if it has no preference.
func instinct(d *ballcourt.Decision) []uint32 {
	observation, err := d.Observation()
	if err != nil {
		return nil
	}
	seat := d.Match.Seat
	switch seen := observation.(type) {
	case *pb.TzolkinObservation:
		return tzolkin(d.Legal, seen.Players[seat])
	case *pb.MayaObservation:
		return maya(d.Legal, seen.Own)
	case *pb.AhauObservation:
		return ahau(d.Legal, seen.Actors[seat])
	}
	return nil
}

func main() { ballcourt.Run(func() ballcourt.Bot { return &bot{} }) }
