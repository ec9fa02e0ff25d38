package interleave

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Tests that cannot proceed say where, in a file: the go command keeps the output of tests until
// they end.

// stallFile is point.StallFile.
const stallFile = "ESPALIER_STALLS"

// stalls shows what tests say in a file, each line once.
type stalls struct {
	file  string
	out   io.Writer
	shown int // bytes
	said  map[string]bool
	stop  chan struct{}
	ended chan struct{}
}

// followStalls begins to show what tests say.
func followStalls(file string, out io.Writer) *stalls {
	s := &stalls{file, out, 0, map[string]bool{}, make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(s.ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-s.stop:
				s.show()
				return
			case <-tick.C:
				s.show()
			}
		}
	}()
	return s
}

// show shows the lines that are whole and new.
func (s *stalls) show() {
	text, _ := os.ReadFile(s.file)
	for line := range strings.Lines(string(text[min(s.shown, len(text)):])) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		if s.shown += len(line); !s.said[line] {
			s.said[line] = true
			fmt.Fprint(s.out, "corpusgen: ", line)
		}
	}
}

// end shows what is left.
func (s *stalls) end() {
	close(s.stop)
	<-s.ended
}
