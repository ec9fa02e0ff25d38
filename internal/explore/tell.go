package explore

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/internal/engine"
)

// Tell writes the record of a failure for corpusgen, if it listens.
func Tell(f engine.Failure) {
	dir := os.Getenv(engine.RunDir)
	if dir == "" {
		return
	}
	b, err := json.Marshal(f)
	if err != nil {
		return
	}
	name := filepath.Join(dir, fmt.Sprintf("failure-%d-%x.json", os.Getpid(), rand.Uint64()))
	if os.WriteFile(name+".tmp", b, 0o666) == nil {
		_ = os.Rename(name+".tmp", name) // the report says all of it, too
	}
}
