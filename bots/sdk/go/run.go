package ballcourt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

const (
	method                 = "/ballcourt.v1.Arena/Play"
	mostStreams            = 16
	mostStackBytes         = 1 << 20
	firstWait, longestWait = 100 * time.Millisecond, 5 * time.Second
	patience               = time.Minute // how long to dial again after a stream broke
)

const byHand = `This program is a bot. An arena starts it and sets BALLCOURT_SOCKET and BALLCOURT_TOKEN in its environment.
To see it play, run "ballcourt check bot FOLDER", where FOLDER has its bot.toml.
`

// Run plays in the arena that the environment names, then exits. It calls newBot once per stream.
//
// Exit codes: 0 if the arena said Goodbye or closed the stream, or on SIGTERM; 1 if the arena refused the bot or the
// connection was lost; 2 if the environment names no arena.
func Run(newBot func() Bot) {
	arena, err := findArena()
	token := os.Getenv("BALLCOURT_TOKEN")
	if err != nil {
		leave(2, err.Error())
	}
	if arena == nil || token == "" {
		leave(2, byHand)
	}
	Parameters() // what is wrong with them is said before anything else happens
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	go func() {
		<-asked
		if busy := busyAt(); busy != "" {
			fmt.Fprintln(os.Stderr, "it was asked to end while it was here:\n"+busy)
		}
		os.Exit(0) // even in the middle of a decision
	}()
	if err := playAll(newBot, arena, token); err != nil {
		leave(1, err.Error())
	}
	os.Exit(0)
}

// busyAt returns the stacks of the goroutines in which a bot computes; it returns an empty string if all wait for the
// arena.
func busyAt() string {
	stacks := make([]byte, mostStackBytes)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var busy []string
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(stack, "(*Session).Handle(") {
			busy = append(busy, stack)
		}
	}
	return strings.Join(busy, "\n\n")
}

func leave(code int, sentence string) {
	fmt.Fprintln(os.Stderr, sentence)
	os.Exit(code)
}

// playAll plays on BALLCOURT_STREAMS streams at once, each with its own bot.
func playAll(newBot func() Bot, arena *address, token string) error {
	streams := streams()
	identity := Identity{os.Getenv("BALLCOURT_NAME"), os.Getenv("BALLCOURT_VERSION"), games()}
	ends := make(chan error, streams)
	for range streams {
		session := NewSession(newBot(), identity)
		go func() { ends <- converse(session, arena, token) }()
	}
	var all error
	for range streams {
		all = errors.Join(all, <-ends)
	}
	return all
}

// streams returns the number in BALLCOURT_STREAMS, 1 if it is not one that is allowed.
func streams() int {
	asked := os.Getenv("BALLCOURT_STREAMS")
	for count := range mostStreams {
		if strconv.Itoa(count+1) == asked {
			return count + 1
		}
	}
	return 1
}

// games returns the games in BALLCOURT_PLAYS; empty means any game.
func games() []string {
	return strings.FieldsFunc(os.Getenv("BALLCOURT_PLAYS"), func(r rune) bool { return r == ',' })
}

// converse plays until the arena says Goodbye or closes the stream. It dials again after a broken stream if the session
// can be resumed.
func converse(session *Session, arena *address, token string) error {
	wait, giveUp := firstWait, time.Time{}
	for {
		met := session.Streams
		err := playStream(session, arena, token)
		var lost disconnected
		if !errors.As(err, &lost) {
			return err
		}
		if session.Streams > met { // the arena sent Welcome on this stream
			wait, giveUp = firstWait, time.Now().Add(patience)
		}
		if !session.Resumable || time.Now().After(giveUp) {
			return err
		}
		// at random, so that bots that lost the same arena do not dial all at once
		time.Sleep(time.Duration((0.5 + rand.Float64()/2) * float64(wait)))
		wait = min(2*wait, longestWait)
	}
}

// disconnected means that the arena cannot be reached, or the stream broke.
type disconnected struct{ error }

// playStream plays on one stream.
func playStream(session *Session, arena *address, token string) error {
	connection, err := grpc.NewClient(
		arena.target,
		grpc.WithTransportCredentials(arena.way),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
	)
	if err != nil {
		return err
	}
	defer connection.Close()
	description := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := connection.NewStream(context.Background(), description, method)
	if err == nil {
		err = exchange(session, stream, token)
	}
	if _, ok := status.FromError(err); ok && err != nil {
		return disconnected{fmt.Errorf("no connection to the arena at %s: %s", arena.shown, status.Convert(err).Message())}
	}
	return err
}

// exchange sends Hello, then replies to messages until the stream ends.
func exchange(session *Session, stream grpc.ClientStream, token string) error {
	if err := send(stream, session.Hello(token)); err != nil {
		return err
	}
	for !session.Ended {
		message := &pb.ArenaMessage{}
		if err := stream.RecvMsg(message); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		reply, err := session.Handle(message)
		if err != nil {
			return err
		}
		if reply != nil {
			if err := send(stream, reply); err != nil {
				return err
			}
		}
	}
	return closeBoth(stream)
}

// closeBoth closes the bot's side after Goodbye and waits for the arena to end the stream. The arena takes a stream that
// breaks instead for a bot that will dial again.
func closeBoth(stream grpc.ClientStream) error {
	err := stream.CloseSend()
	for err == nil {
		err = stream.RecvMsg(&pb.ArenaMessage{})
	}
	return nil // the arena said all it had to say
}

// send writes a message. It ignores the end of the stream: the next receive returns the reason.
func send(stream grpc.ClientStream, message *pb.BotMessage) error {
	if err := stream.SendMsg(message); err != nil && err != io.EOF {
		return err
	}
	return nil
}
