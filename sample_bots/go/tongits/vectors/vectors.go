// Package vectors runs a bot over recorded observations: for tests.
package vectors

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	"tongits-bot/tongits"
	pb "tongits-bot/tongits/tablev1"
)

// Vector is one observation, and what the bot `greedy` of all languages answers to it.
type Vector struct {
	ID     string
	View   *tongits.View
	Greedy string
}

// Load reads corpus.jsonl beside go.mod, or else the one shared by the kits.
func Load(t *testing.T) []Vector {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "..", "corpus.jsonl"))
	if err != nil {
		file, err = os.Open(filepath.Join("..", "..", "..", "corpus", "observations.jsonl"))
	}
	if err != nil {
		t.Fatal("no corpus: put corpus.jsonl (sample_bots/corpus/observations.jsonl) beside go.mod: ", err)
	}
	defer file.Close()
	var vectors []Vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		vectors = append(vectors, parse(t, lines.Bytes()))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return vectors
}

func parse(t *testing.T, line []byte) Vector {
	t.Helper()
	var told struct{ ID, Started, Request, Greedy string }
	if err := json.Unmarshal(line, &told); err != nil {
		t.Fatal(err)
	}
	var started pb.GameStarted
	var request pb.DecisionRequest
	decode(t, told.Started, &started)
	decode(t, told.Request, &request)
	return Vector{told.ID, tongits.NewView(&request, tongits.NewGame(&started)), told.Greedy}
}

func decode(t *testing.T, text string, message proto.Message) {
	t.Helper()
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = proto.Unmarshal(bytes, message)
	}
	if err != nil {
		t.Fatal(err)
	}
}
