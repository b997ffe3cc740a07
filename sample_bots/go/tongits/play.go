// Package tongits plays at the table of the Tongits Arena harness: write a function from a View to
// one of its Legal actions and hand it to Serve.
package tongits

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	pb "tongits-bot/tongits/tablev1"
)

const (
	sdkName         = "tongits-go/1.0"
	concurrentGames = 128  // As in bot.toml.
	noteLimit       = 2000 // Bytes kept of one note.
	pendingNotes    = 6000 // With no more than this in a message it stays below 64 KiB.

	// linger lets the harness read what was decided before a crash, or the wrong game is charged.
	linger = 50 * time.Millisecond

	howToRun = `This is a Tongits Arena bot. It plays at a table that the harness sets up, so the harness starts it:
    tongits run random greedy BOT_FOLDER
(TONGITS_ADDRESS is not set: that is the address of the table.)`
)

// Decide chooses one of view.Legal.
type Decide func(view *View) Action

// Serve plays with one function until the harness has had enough, then ends the program.
func Serve(decide Decide) {
	ServeGames(func(*Game) Decide { return decide })
}

// ServeGames plays each game with a function of its own, made when the game begins: a closure that
// remembers. A game that goes on in a new process is begun again with its history.
func ServeGames(newGame func(game *Game) Decide) {
	address := os.Getenv("TONGITS_ADDRESS")
	if address == "" {
		fmt.Fprintln(os.Stderr, howToRun)
		os.Exit(2)
	}
	if err := play(address, newGame); err != nil {
		fmt.Fprintln(os.Stderr, "The table refused this bot:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func play(address string, newGame func(*Game) Decide) error {
	connection, err := grpc.NewClient(address, grpc.WithNoProxy(), grpc.WithDisableRetry(),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	stream, err := pb.NewTableClient(connection).Play(context.Background())
	if err != nil {
		return err
	}
	hello := &pb.Hello{ProtocolVersion: 1, Token: os.Getenv("TONGITS_TOKEN"), ConcurrentGames: concurrentGames, Sdk: sdkName}
	if err := stream.Send(&pb.BotMessage{Content: &pb.BotMessage_Hello{Hello: hello}}); err != nil && err != io.EOF {
		return err
	}
	table := &table{stream: stream, newGame: newGame, seats: map[string]*seat{}}
	for {
		message, err := stream.Recv()
		if err != nil {
			return table.ending(err)
		}
		table.take(message)
	}
}

// seat is one game in progress.
type seat struct {
	game   *Game
	decide Decide
}

// table holds the games in progress and the answers not yet sent.
type table struct {
	stream     pb.Table_PlayClient
	newGame    func(*Game) Decide
	seats      map[string]*seat
	answers    []*pb.Decision
	notes      int // Bytes of notes among the answers.
	isSeated   bool
	flushAfter time.Duration
}

// ending tells whether the stream broke or the table was simply taken away.
func (t *table) ending(err error) error {
	gone := status.Code(err) == codes.Unavailable || status.Code(err) == codes.Canceled
	if errors.Is(err, io.EOF) || (t.isSeated && gone) {
		return nil
	}
	return err
}

// take does what one message says, in the order of its fields.
func (t *table) take(message *pb.TableMessage) {
	if welcome := message.GetWelcome(); welcome != nil {
		t.isSeated = true
		t.flushAfter = time.Duration(welcome.GetDecisionLimitUs()) * time.Microsecond / 10
	}
	for _, started := range message.GetStarted() {
		t.start(started)
	}
	t.answerAll(message.GetRequests())
	for _, over := range message.GetOver() {
		delete(t.seats, over.GetGameId())
	}
}

func (t *table) start(message *pb.GameStarted) *seat {
	game := NewGame(message)
	begun := &seat{game, t.newGame(game)}
	t.seats[message.GetGameId()] = begun
	return begun
}

// answerAll answers in order. It sends when all are answered, or the first has waited long enough;
// what was decided before a panic still counts.
func (t *table) answerAll(requests []*pb.DecisionRequest) {
	defer func() {
		reason := recover()
		t.flush()
		if reason != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n\n%s", reason, debug.Stack())
			time.Sleep(linger)
			os.Exit(1)
		}
	}()
	sendBy := time.Now().Add(t.flushAfter)
	for _, request := range requests {
		t.answers = append(t.answers, t.answer(request))
		if time.Now().After(sendBy) || t.notes > pendingNotes {
			t.flush()
			sendBy = time.Now().Add(t.flushAfter)
		}
	}
}

func (t *table) answer(request *pb.DecisionRequest) *pb.Decision {
	seat, isKnown := t.seats[request.GetGameId()]
	if !isKnown { // a practice decision of a game that was never announced
		seat = t.start(&pb.GameStarted{GameId: request.GetGameId()})
	}
	view := NewView(request, seat.game)
	answer := choose(view, seat.decide(view))
	answer.DecisionId = request.GetDecisionId()
	answer.Note = strings.ToValidUTF8(view.Note[:min(len(view.Note), noteLimit)], "")
	t.notes += len(answer.Note)
	return answer
}

// choose names the action by its place among the legal ones; one that is not there is spelled out,
// and the harness says what is wrong with it.
func choose(view *View, action Action) *pb.Decision {
	at := slices.IndexFunc(view.Legal, func(legal Action) bool {
		return legal.Kind == action.Kind && legal.Meld == action.Meld && bytes.Equal(legal.Cards, action.Cards)
	})
	if at >= 0 {
		return &pb.Decision{Choice: &pb.Decision_Index{Index: uint32(at)}}
	}
	spelled := &pb.Action{Kind: action.Kind, Cards: action.Cards, Meld: uint32(action.Meld)}
	return &pb.Decision{Choice: &pb.Decision_Action{Action: spelled}}
}

// flush sends the answers. A stream that has broken says so where it is read.
func (t *table) flush() {
	if len(t.answers) == 0 {
		return
	}
	decisions := &pb.Decisions{Decisions: t.answers}
	_ = t.stream.Send(&pb.BotMessage{Content: &pb.BotMessage_Decisions{Decisions: decisions}})
	t.answers, t.notes = nil, 0
}
