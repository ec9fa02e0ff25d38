package stack

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

// Labeled returns the different stacks of the goroutines with a label of runtime/pprof.
func Labeled(key, value string) (stacks []string) {
	var b bytes.Buffer
	_ = pprof.Lookup("goroutine").WriteTo(&b, 1) // a buffer takes everything
	label := fmt.Sprintf("%q:%q", key, value)
	_, all, _ := strings.Cut(b.String(), "\n") // after the header
	for _, g := range strings.Split(all, "\n\n") {
		lines := strings.Split(g, "\n")
		if len(lines) < 2 || !strings.HasPrefix(lines[1], "# labels: ") ||
			!strings.Contains(lines[1], label) {
			continue
		}
		stack := ""
		for _, l := range lines[2:] {
			if f := labeledFrame().FindStringSubmatch(l); f != nil {
				stack += fmt.Sprintf("%s\n\t%s\n", f[1], f[2])
			}
		}
		stacks = append(stacks, stack)
	}
	return stacks
}

// Left returns what Labeled does, once that is nothing, or after waits of so long in all. It does
// not look at the clock: a busy machine, which delays what ends soon, delays the waits, too.
func Left(key, value string, most time.Duration) (stacks []string) {
	stacks = Labeled(key, value)
	for wait := 10 * time.Microsecond; len(stacks) > 0 && most > 0; wait *= 2 {
		wait = min(wait, most)
		time.Sleep(wait)
		most -= wait
		stacks = Labeled(key, value)
	}
	return stacks
}

// labeledFrame is a frame of the profile: address, function and offset, file and line.
var labeledFrame = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^#\t0x[0-9a-f]+\t(.*)\+0x[0-9a-f]+\s+(.*)$`)
})

// FirstPlace returns FILE:LINE of the innermost function outside of the runtime.
func FirstPlace(stack string) string {
	lines := strings.Split(stack, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		if !strings.HasPrefix(lines[i], "runtime.") && !strings.HasPrefix(lines[i], "sync.") &&
			!strings.HasPrefix(lines[i], "time.") {
			return filepath.Base(strings.TrimSpace(lines[i+1]))
		}
	}
	return "?"
}
