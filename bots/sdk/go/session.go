package ballcourt

import (
	"errors"
	"math/rand/v2"
	"unicode/utf8"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

const (
	sdk           = "ballcourt-go 0.1.0"
	protocol      = 1
	thoughtsLimit = 4096
	mostEntries   = 64
)

// Refused means that the arena refused the bot.
type Refused struct{ Reason string }

func (r Refused) Error() string { return "the arena refused the bot: " + r.Reason }

var errNoMatch = errors.New("the arena sent a message about a match before its MatchStart")

// Identity is who the bot is, as in its bot.toml.
type Identity struct {
	Name, Version string
	Games         []string // empty: any game
}

// Session is the bot's side of the protocol, without I/O: messages in, messages out.
//
// A session can outlive its stream: if Resumable is true, Hello starts another stream that continues the session.
type Session struct {
	// Ended tells whether the arena said Goodbye.
	Ended bool
	// Resumable tells whether the arena waits for the bot if the stream breaks.
	Resumable bool
	// Streams is the number of streams on which the arena sent Welcome.
	Streams int

	bot      Bot
	identity Identity
	match    *Match

	name           string
	received, sent uint64 // messages of this session, without Hello, Welcome and Goodbye
	last           *pb.BotMessage
}

// NewSession returns a session that has not sent Hello yet.
func NewSession(bot Bot, identity Identity) *Session { return &Session{bot: bot, identity: identity} }

// Hello returns the first message of every stream.
func (s *Session) Hello(token string) *pb.BotMessage {
	_, observes := s.bot.(Observer)
	limiter, ok := s.bot.(WorkLimiter)
	workLimited := ok && limiter.WorkLimited()
	games := make([]*pb.GameSupport, len(s.identity.Games))
	for i, game := range s.identity.Games {
		games[i] = &pb.GameSupport{Game: game}
	}
	return &pb.BotMessage{Message: &pb.BotMessage_Hello{Hello: &pb.Hello{
		Token:        token,
		ProtocolMin:  protocol,
		ProtocolMax:  protocol,
		Sdk:          sdk,
		Bot:          &pb.BotIdentity{Name: s.identity.Name, Version: s.identity.Version},
		Games:        games,
		Capabilities: &pb.Capabilities{Observe: observes, WorkLimited: workLimited},
		Session:      s.name,
		Received:     s.received,
	}}}
}

// Handle passes a message of the arena to the bot and returns its reply, or nil if none is due.
func (s *Session) Handle(message *pb.ArenaMessage) (*pb.BotMessage, error) {
	switch m := message.Message.(type) {
	case *pb.ArenaMessage_Welcome:
		return s.resume(m.Welcome), nil
	case *pb.ArenaMessage_Refused:
		return nil, Refused{m.Refused.Reason}
	case *pb.ArenaMessage_Goodbye:
		s.Ended = true
		return nil, nil
	}
	s.received++
	reply, err := s.answer(message)
	if reply != nil {
		s.sent++
		s.last = reply
	}
	return reply, err
}

func (s *Session) answer(message *pb.ArenaMessage) (*pb.BotMessage, error) {
	switch m := message.Message.(type) {
	case *pb.ArenaMessage_Decide:
		return s.decide(m.Decide)
	case *pb.ArenaMessage_Observe:
		return nil, s.observe(m.Observe)
	case *pb.ArenaMessage_MatchStart:
		return s.start(m.MatchStart), nil
	case *pb.ArenaMessage_MatchEnd:
		return nil, s.end(m.MatchEnd)
	}
	return nil, nil
}

// resume continues after a broken stream: it returns the last reply if the arena has not received it.
func (s *Session) resume(welcome *pb.Welcome) *pb.BotMessage {
	s.Streams++
	s.Resumable = welcome.ReconnectMs > 0
	if welcome.Session != s.name {
		s.name, s.match, s.received, s.sent, s.last = welcome.Session, nil, 0, 0, nil
	}
	if welcome.Received < s.sent {
		return s.last
	}
	return nil
}

func (s *Session) start(start *pb.MatchStart) *pb.BotMessage {
	s.match = &Match{start, rand.New(rand.NewPCG(start.BotSeed, 0))}
	if starter, ok := s.bot.(MatchStarter); ok {
		starter.MatchStarted(s.match)
	}
	return &pb.BotMessage{Message: &pb.BotMessage_Ready{Ready: &pb.Ready{MatchId: start.MatchId}}}
}

func (s *Session) decide(decide *pb.Decide) (*pb.BotMessage, error) {
	if s.match == nil {
		return nil, errNoMatch
	}
	decision := &Decision{
		View:     View{s.match, decide.Observation, decide.Events},
		Legal:    decide.Legal,
		BankMs:   decide.BankMs,
		LimitMs:  decide.LimitMs,
		Rejected: decide.Rejected,
	}
	action := &pb.Action{DecisionId: decide.DecisionId, Action: s.bot.Choose(decision)}
	action.Thoughts = shortened(decision.Thoughts)
	action.Fallback = decision.Fallback
	action.Evaluation = limited(decision.Evaluation)
	return &pb.BotMessage{Message: &pb.BotMessage_Action{Action: action}}, nil
}

func (s *Session) observe(push *pb.Observe) error {
	if s.match == nil {
		return errNoMatch
	}
	if observer, ok := s.bot.(Observer); ok {
		observer.Observed(&View{s.match, push.Observation, push.Events})
	}
	return nil
}

func (s *Session) end(end *pb.MatchEnd) error {
	if s.match == nil {
		return errNoMatch
	}
	s.match = nil
	if ender, ok := s.bot.(MatchEnder); ok {
		ender.MatchEnded(end)
	}
	return nil
}

// limited cuts the lists of an evaluation to the 64 entries that the protocol allows.
func limited(evaluation *pb.Evaluation) *pb.Evaluation {
	if evaluation == nil {
		return nil
	}
	return &pb.Evaluation{
		Values: evaluation.Values,
		Ranked: evaluation.Ranked[:min(len(evaluation.Ranked), mostEntries)],
		Marks:  evaluation.Marks[:min(len(evaluation.Marks), mostEntries)],
	}
}

// shortened cuts a string to the 4096 bytes that the protocol allows, at a character boundary.
func shortened(thoughts string) string {
	if len(thoughts) <= thoughtsLimit {
		return thoughts
	}
	cut := thoughtsLimit
	for cut > 0 && !utf8.RuneStart(thoughts[cut]) {
		cut--
	}
	return thoughts[:cut]
}
