// Package ballcourt is the Go SDK: write a Bot, call Run.
//
//	type First struct{}
//
//	func (First) Choose(d *ballcourt.Decision) uint32 { return d.Legal[0] }
//
//	func main() { ballcourt.Run(func() ballcourt.Bot { return First{} }) }
//
// The messages, and a constant for every action of every game, are in ballcourt/ballcourtv1, which go generate writes.
package ballcourt

//go:generate go run ./internal/generate

import (
	"fmt"
	"math/rand/v2"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	pb "ballcourt/ballcourtv1"
)

// Bot is a player. It plays one seat at a time, match after match, and is used by one goroutine.
type Bot interface {
	// Choose answers a question with one of d.Legal, within d.LimitMs milliseconds.
	Choose(d *Decision) uint32
}

// MatchStarter is a Bot that prepares for a match; this time does not count as thinking time.
type MatchStarter interface{ MatchStarted(m *Match) }

// MatchEnder is a Bot that learns how a match ended.
type MatchEnder interface{ MatchEnded(end *pb.MatchEnd) }

// Observer is a Bot that is shown what every decision of another seat led to.
type Observer interface{ Observed(v *View) }

// Match is the match being played: game, options, seat, seats, clock.
type Match struct {
	*pb.MatchStart
	// Random is seeded by the arena, so that a bot that draws from nothing else can play a match again.
	Random *rand.Rand
}

// View is what the bot's seat may know, and what happened since it was last shown anything.
type View struct {
	Match *Match
	// Data is the observation as it came over the wire.
	Data []byte
	// Events tell what the seats did, oldest first; an action is 0 while it is secret.
	Events []*pb.Event
}

// Observation decodes the game's own message, for example a *ballcourtv1.TzolkinObservation.
func (v *View) Observation() (proto.Message, error) {
	name := protoreflect.FullName(v.Match.ObservationType)
	kind, err := protoregistry.GlobalTypes.FindMessageByName(name)
	if err != nil {
		return nil, fmt.Errorf("the SDK has no generated code for %s: %w", name, err)
	}
	message := kind.New().Interface()
	if err := proto.Unmarshal(v.Data, message); err != nil {
		return nil, fmt.Errorf("the observation is no %s: %w", name, err)
	}
	return message, nil
}

// Decision is one question to the bot.
type Decision struct {
	View
	// Legal are the actions to choose from, ascending; at least two.
	Legal []uint32
	// BankMs is the thinking time left for the rest of the match, LimitMs that of this decision.
	BankMs, LimitMs uint32
	// Rejected says, where the question is asked again, what was wrong with the last answer to it; else it is empty.
	Rejected string
	// Thoughts is a note of at most 4096 bytes, kept beside the action in the match record.
	Thoughts string
}
