package interleave

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/internal/job"
)

// few passes on the output of go test. In the line that sums up a package, it says which of its tests
// had no time for all their schedules, as these tell in a file.
type few struct {
	out  io.Writer
	told string
	line []byte // that has begun, as the sum of a package does
	mid  bool   // of another line
}

// sum matches the line of a package whose tests have passed.
var sum = regexp.MustCompile(`^ok  \t(\S+)\t[^\n]*`)

// sumPrefix is how such a line begins.
const sumPrefix = "ok  \t"

func (f *few) Write(b []byte) (int, error) {
	for part := range bytes.Lines(b) {
		whole := bytes.HasSuffix(part, []byte("\n"))
		if f.mid {
			f.mid = !whole
			if _, err := f.out.Write(part); err != nil {
				return 0, err
			}
			continue
		}
		f.line = append(f.line, part...)
		n := min(len(sumPrefix), len(f.line))
		if !whole && string(f.line[:n]) == sumPrefix[:n] {
			continue
		}
		f.mid = !whole
		if err := f.pass(); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// pass passes on the line, or its begin.
func (f *few) pass() error {
	line := f.line
	f.line = f.line[:0]
	if m := sum.FindSubmatch(line); m != nil {
		line = fmt.Appendf(nil, "%s%s\n", m[0], f.note(string(m[1])))
	}
	_, err := f.out.Write(line)
	return err
}

// note is what the line of a package says besides, or "".
func (f *few) note(pkg string) string {
	const most = 3 // tests
	all, _ := job.ReadFew(f.told)
	var tests []string
	for _, t := range all {
		text := fmt.Sprintf("%s %d/%d", t.Test, t.Made, t.Most)
		if t.Package == pkg && !slices.Contains(tests, text) {
			tests = append(tests, text)
		}
	}
	if n := len(tests) - most; n > 0 {
		tests = append(tests[:most], fmt.Sprintf("%d more", n))
	}
	if len(tests) == 0 {
		return ""
	}
	return "\t[schedules: " + strings.Join(tests, ", ") + "]"
}
