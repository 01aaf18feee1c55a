package ballcourt

import (
	"errors"
	"strings"
	"testing"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

type highest struct{}

func (highest) Choose(d *Decision) uint32 {
	d.Thoughts = "why not"
	return d.Legal[len(d.Legal)-1]
}

// reporter says where it is while it chooses.
type reporter struct{ busy string }

func (r *reporter) Choose(d *Decision) uint32 {
	r.busy = busyAt()
	return d.Legal[0]
}

func TestOnlyABotThatComputesIsBusy(t *testing.T) {
	bot := &reporter{}
	session := NewSession(bot, Identity{})
	for _, message := range []*pb.ArenaMessage{welcome("", 0), start(), ask(1)} {
		if _, err := session.Handle(message); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(bot.busy, "(*reporter).Choose") {
		t.Errorf("busy at %q while it chooses", bot.busy)
	}
	if busy := busyAt(); busy != "" {
		t.Errorf("busy at %q after the answer", busy)
	}
}

func welcome(session string, received uint64) *pb.ArenaMessage {
	return &pb.ArenaMessage{Message: &pb.ArenaMessage_Welcome{
		Welcome: &pb.Welcome{Session: session, Received: received, ReconnectMs: 1000},
	}}
}

func start() *pb.ArenaMessage {
	return &pb.ArenaMessage{Message: &pb.ArenaMessage_MatchStart{MatchStart: &pb.MatchStart{MatchId: "m"}}}
}

func ask(id uint64) *pb.ArenaMessage {
	return &pb.ArenaMessage{Message: &pb.ArenaMessage_Decide{Decide: &pb.Decide{DecisionId: id, Legal: []uint32{3, 5}}}}
}

func session(t *testing.T, messages ...*pb.ArenaMessage) (*Session, *pb.BotMessage) {
	t.Helper()
	s := NewSession(highest{}, Identity{Name: "mia", Version: "2"})
	var last *pb.BotMessage
	for _, message := range messages {
		reply, err := s.Handle(message)
		if err != nil {
			t.Fatal(err)
		}
		last = reply
	}
	return s, last
}

func TestAReplyHasTheDecisionIdAndTheThoughts(t *testing.T) {
	_, reply := session(t, start(), ask(7))
	action := reply.GetAction()
	if action.DecisionId != 7 || action.Action != 5 || action.Thoughts != "why not" {
		t.Errorf("the reply is %v", action)
	}
}

type echo struct{}

func (echo) Choose(d *Decision) uint32 {
	d.Thoughts = d.Rejected
	return d.Legal[0]
}

func TestABotIsToldWhyItsAnswerWasRejected(t *testing.T) {
	s := NewSession(echo{}, Identity{})
	again := ask(8)
	again.GetDecide().Rejected = "9 is not legal"
	var reply *pb.BotMessage
	for _, message := range []*pb.ArenaMessage{start(), again} {
		var err error
		if reply, err = s.Handle(message); err != nil {
			t.Fatal(err)
		}
	}
	if told := reply.GetAction().Thoughts; told != "9 is not legal" {
		t.Errorf("it got '%s'", told)
	}
}

func TestAResumedSessionRepeatsItsLastReplyOnlyIfTheArenaLacksIt(t *testing.T) {
	if _, again := session(t, welcome("s", 0), start(), ask(1), welcome("s", 1)); again.GetAction() == nil {
		t.Error("the reply that the arena lacks was not repeated")
	}
	if _, again := session(t, welcome("s", 0), start(), ask(1), welcome("s", 2)); again != nil {
		t.Errorf("the arena lacks nothing, but got %v", again)
	}
}

func TestANewSessionIdStartsOver(t *testing.T) {
	s, _ := session(t, welcome("s", 0), start(), welcome("t", 0))
	if _, err := s.Handle(ask(1)); !errors.Is(err, errNoMatch) {
		t.Errorf("the old match is still being played: %v", err)
	}
}

func TestARefusalIsAnErrorWithItsReason(t *testing.T) {
	s, _ := session(t)
	refused := &pb.ArenaMessage{Message: &pb.ArenaMessage_Refused{Refused: &pb.Refused{Reason: "no such token"}}}
	if _, err := s.Handle(refused); !errors.Is(err, Refused{"no such token"}) {
		t.Errorf("the error is %v", err)
	}
}

func TestThoughtsAreCutAtACharacterBoundary(t *testing.T) {
	long := "x" + strings.Repeat("é", 2048)
	if cut := shortened(long); cut != long[:4095] {
		t.Errorf("%d bytes are left", len(cut))
	}
}

func TestAnAddressIsASocketOrHostAndPort(t *testing.T) {
	for _, name := range []string{"BALLCOURT_SOCKET", "BALLCOURT_ADDRESS", "BALLCOURT_TLS", "BALLCOURT_CA"} {
		t.Setenv(name, "")
	}
	if found, err := findArena(); found != nil || err != nil {
		t.Errorf("found %v, %v in an empty environment", found, err)
	}
	t.Setenv("BALLCOURT_ADDRESS", "arena.example:7433")
	if found, err := findArena(); err != nil || found.shown != "arena.example:7433" {
		t.Errorf("found %v, %v", found, err)
	}
	t.Setenv("BALLCOURT_TLS", "off")
	if _, err := findArena(); err == nil {
		t.Error("TLS can be off for an arena on another machine")
	}
	t.Setenv("BALLCOURT_SOCKET", "/tmp/a.sock")
	if found, err := findArena(); err != nil || found.target != "unix:/tmp/a.sock" {
		t.Errorf("found %v, %v", found, err)
	}
}
