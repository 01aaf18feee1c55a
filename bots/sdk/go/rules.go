package ballcourt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"

	"google.golang.org/protobuf/proto"

	pb "github.com/ballcourt/ballcourt-go/ballcourtv1"
)

// ToTheEnd as RulesCall.Playout lets a playout go on until the match is over.
const ToTheEnd = math.MaxUint32

// Rules is a process that knows the rules of the games and draws positions from what the bot sees. It ends with the bot,
// and the bot pays for its time. Only one goroutine may use it at a time.
type Rules struct {
	process  *exec.Cmd
	requests io.WriteCloser
	replies  io.Reader
	seen     []byte
}

// StartRules starts the rules. That takes a third of a second: do it in MatchStarted, once.
func StartRules() (*Rules, error) {
	python := os.Getenv("BALLCOURT_PYTHON")
	if python == "" {
		return nil, errors.New("BALLCOURT_PYTHON is not set; the arena that starts a bot sets it")
	}
	process := exec.Command(python, "-I", "-m", "ballcourt.bots.sdk.python.rules")
	process.Stderr = os.Stderr
	requests, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	replies, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Rules{process, requests, replies, nil}, process.Start()
}

// Ask carries out calls about positions that fit a view, in order, and returns an answer for each. Ask as much as you can
// at once. A view with another observation forgets the positions that were kept.
func (r *Rules) Ask(v *View, calls ...*pb.RulesCall) ([]*pb.RulesAnswer, error) {
	request := &pb.RulesRequest{Game: v.Match.Game, Calls: calls}
	if r.seen == nil || !bytes.Equal(r.seen, v.Data) {
		request.Observation = v.Data
	}
	reply, err := r.exchange(request)
	if err != nil {
		return nil, fmt.Errorf("the rules do not answer: %w", err)
	}
	if reply.Refused != "" {
		return nil, errors.New("the rules refuse the request: " + reply.Refused)
	}
	r.seen = v.Data
	return reply.Answers, nil
}

// Close ends the process.
func (r *Rules) Close() error {
	r.requests.Close()
	return r.process.Wait()
}

func (r *Rules) exchange(request *pb.RulesRequest) (*pb.RulesReply, error) {
	message := make([]byte, 4, 4+proto.Size(request))
	message, err := proto.MarshalOptions{}.MarshalAppend(message, request)
	if err != nil {
		return nil, err
	}
	binary.LittleEndian.PutUint32(message, uint32(len(message)-4))
	if _, err := r.requests.Write(message); err != nil {
		return nil, err
	}
	var head [4]byte
	if _, err := io.ReadFull(r.replies, head[:]); err != nil {
		return nil, err
	}
	data := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(r.replies, data); err != nil {
		return nil, err
	}
	reply := &pb.RulesReply{}
	return reply, proto.Unmarshal(data, reply)
}
