package interleave

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Tests that cannot proceed say where, in a file: the go command keeps the output of tests until
// they end.

// stallFile is point.StallFile.
const stallFile = "ESPALIER_STALLS"

// stallsIn returns the file in the directory of [Overlay].
func stallsIn(dir string) string { return filepath.Join(dir, "stalls") }

// followStalls shows what tests say, until the context ends.
func followStalls(ctx context.Context, dir string) error {
	go func() {
		shown := map[string]bool{}
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			text, _ := os.ReadFile(stallsIn(dir))
			for line := range strings.Lines(string(text)) {
				if strings.HasSuffix(line, "\n") && !shown[line] {
					shown[line] = true
					fmt.Fprint(os.Stderr, "corpusgen: ", line)
				}
			}
		}
	}()
	return os.Setenv(stallFile, stallsIn(dir))
}
