package tongits

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	pb "tongits-bot/tongits/tablev1"
)

// Where in a turn a decision falls.
const (
	Start   = pb.Phase_PHASE_START   // draw, take or call
	Act     = pb.Phase_PHASE_ACTION  // meld, lay off, discard
	Respond = pb.Phase_PHASE_RESPOND // to a call of Draw
)

// Kind says what an action does.
type Kind = pb.ActionKind

// The kinds of action.
const (
	Draw      = pb.ActionKind_ACTION_KIND_DRAW
	Take      = pb.ActionKind_ACTION_KIND_TAKE
	Expose    = pb.ActionKind_ACTION_KIND_EXPOSE
	Conceal   = pb.ActionKind_ACTION_KIND_CONCEAL
	Layoff    = pb.ActionKind_ACTION_KIND_LAYOFF
	Discard   = pb.ActionKind_ACTION_KIND_DISCARD
	Call      = pb.ActionKind_ACTION_KIND_CALL
	Challenge = pb.ActionKind_ACTION_KIND_CHALLENGE
	Fold      = pb.ActionKind_ACTION_KIND_FOLD
)

// Action is one thing a seat can do.
type Action struct {
	Kind  Kind
	Cards Cards // Take, Expose, Conceal: the whole meld. Layoff, Discard: one card.
	Meld  int   // Layoff: the number of the meld.
}

// String gives "layoff 7H 0": the text that `tongits referee` reads.
func (a Action) String() string {
	text := strings.ToLower(strings.TrimPrefix(a.Kind.String(), "ACTION_KIND_"))
	if len(a.Cards) > 0 {
		text += " " + a.Cards.String()
	}
	if a.Kind == Layoff {
		text += fmt.Sprintf(" %d", a.Meld)
	}
	return text
}

// Meld lies on the table; its number is its place in View.Melds.
type Meld struct {
	Owner    int
	Cards    Cards // Empty for a concealed four of another seat.
	FaceDown bool
	Size     int
}

// Game is what stays the same throughout one game: GetRules, GetSeat, GetDealer, GetPot,
// GetStreaks, GetBotSeed, GetHistory, as protos/tongits/v1/table.proto explains them.
type Game struct {
	*pb.GameStarted
	Runs bool // Whether runs are melds under these rules.
}

// NewGame makes the game out of its message.
func NewGame(message *pb.GameStarted) *Game {
	return &Game{message, message.GetParameters()["meld.runs"] != "false"}
}

// View is what your seat sees at one decision, and what it may choose from. Besides the fields
// below it has all getters of the Observation of protos/tongits/v1/table.proto, for instance
// GetTurn, GetHandSizes, GetOpened, GetStockSize, GetCaller, GetEvents.
type View struct {
	*pb.Observation
	Game     *Game
	Phase    pb.Phase // Start, Act or Respond.
	Seat     int
	Hand     Cards    // In card order.
	Discards Cards    // Oldest first: the last one may be taken.
	Legal    []Action // The actions to choose from.
	Melds    []Meld
	TimeLeft time.Duration
	Note     string // Set it to have a text shown beside this decision in the replay.
}

// NewView makes the view out of a request.
func NewView(request *pb.DecisionRequest, game *Game) *View {
	seen := request.GetObservation()
	view := &View{
		Observation: seen, Game: game, Phase: seen.GetPhase(), Seat: int(seen.GetSeat()),
		Hand: seen.GetHand(), Discards: seen.GetDiscards(),
		Legal: make([]Action, len(seen.GetLegal())), Melds: make([]Meld, len(seen.GetMelds())),
		TimeLeft: time.Duration(request.GetTimeLeftUs()) * time.Microsecond,
	}
	for i, a := range seen.GetLegal() {
		view.Legal[i] = Action{a.GetKind(), a.GetCards(), int(a.GetMeld())}
	}
	for i, m := range seen.GetMelds() {
		view.Melds[i] = Meld{int(m.GetOwner()), m.GetCards(), m.GetFaceDown(), int(m.GetSize())}
	}
	return view
}

// Rand gives chance for this decision, drawn from the game's bot_seed and from what is on the
// table: a bot that takes all its chance from here plays alike after a restart.
func (v *View) Rand() *rand.Rand {
	var key [32]byte
	copy(key[:], v.Game.GetBotSeed())
	copy(key[8:], []byte{byte(v.GetTurn()), byte(v.Phase)})
	copy(key[10:], v.Hand)
	return rand.New(rand.NewChaCha8(key))
}
