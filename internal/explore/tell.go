package explore

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/safefile"
)

// Tell writes the record of a failure for corpusgen, if corpusgen runs this process.
func Tell(f engine.Failure) {
	dir := os.Getenv(engine.RunDir)
	if dir == "" {
		return
	}
	b, err := json.Marshal(f)
	if err != nil {
		return
	}
	name := fmt.Sprintf("failure-%d-%x.json", os.Getpid(), rand.Uint64())
	_ = safefile.Write(filepath.Join(dir, name), b) // the report has all of it, too
}
