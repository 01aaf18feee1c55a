// Package ballcourt is the Go SDK: implement Bot, call Run.
//
//	type First struct{}
//
//	func (First) Choose(d *ballcourt.Decision) uint32 { return d.Legal[0] }
//
//	func main() { ballcourt.Run(func() ballcourt.Bot { return First{} }) }
//
// The package ballcourtv1, written by go generate, has the messages and a constant for every action of every
// game.
package ballcourt

//go:generate go run ./internal/generate

import (
	"fmt"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

// Bot is a player. It plays one match at a time, and only one goroutine calls it.
type Bot interface {
	// Choose returns one of d.Legal, within d.LimitMs milliseconds.
	Choose(d *Decision) uint32
}

// MatchStarter is a Bot that is called at the start of a match. This time does not count as think time.
type MatchStarter interface{ MatchStarted(m *Match) }

// MatchEnder is a Bot that is called at the end of a match, with the results of all seats.
type MatchEnder interface{ MatchEnded(end *pb.MatchEnd) }

// Observer is a Bot that is called after every decision of another seat.
type Observer interface{ Observed(v *View) }

// WorkLimiter is a Bot that, if WorkLimited returns true, limits itself to Match.Clock.Work units per decision where that
// is not 0. The unit is the bot's own (positions, playouts). No clock runs, so it plays alike on every machine.
type WorkLimiter interface{ WorkLimited() bool }

// Match is the match that is being played: game, options, seat, seats, clock.
type Match struct {
	*pb.MatchStart
	// Random is seeded by the arena. A match is reproducible if its bots use no other randomness.
	Random *rand.Rand
}

// View is the observation of the bot's seat, and the events since its last observation.
type View struct {
	Match *Match
	// Data is the serialized observation.
	Data []byte
	// Events are the actions of all seats since then, oldest first. An action is 0 while it is secret.
	Events []*pb.Event
}

// Observation returns the game's observation message, for example a *ballcourtv1.TzolkinObservation.
func (v *View) Observation() (proto.Message, error) {
	name := protoreflect.FullName(v.Match.ObservationType)
	kind, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		return nil, fmt.Errorf("the SDK has no generated code for %s; run go generate with its .proto file: %w", name, err)
	}
	message := kind.New().Interface()
	if err := proto.Unmarshal(v.Data, message); err != nil {
		return nil, fmt.Errorf("the observation is not a valid %s: %w", name, err)
	}
	return message, nil
}

// Decision is a question to the bot.
type Decision struct {
	View
	// Legal are the legal actions, ascending; at least two.
	Legal []uint32
	// BankMs is the think time left for the rest of the match, LimitMs that for this decision, in milliseconds.
	BankMs, LimitMs uint32
	// Rejected is why the previous answer to this question was rejected; empty on the first attempt.
	Rejected string
	// Thoughts is a note, saved with the action in the match record; cut to 4096 bytes.
	Thoughts string
	// Evaluation is what the bot makes of the position, in numbers, saved with the action in the match record; may be nil.
	Evaluation *pb.Evaluation
	// Fallback says that the bot did not choose the action itself, as when a model gave no answer; the record keeps it.
	Fallback bool
}
