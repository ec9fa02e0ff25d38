package fuzzext

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/literal"
)

// minOnce is how many bytes of a message are left out if they only repeat the value.
const minOnce = 40

// once returns what has been said about the value of a failure without long copies of the value, as
// its literal or package fmt writes it. The report shows the literal below.
func (x *spec) once(f *failure, said string) string {
	if len(said) < minOnce || f.hangs { // formatting the value may hang, too
		return said
	}
	v, _, err := x.tryRemake(f.tree)
	if err != nil {
		return said
	}
	value, all := literal.Within(maxValue, v, x.target().pkg)
	if !all { // it may contain itself
		return said
	}
	forms := []string{value}
	if s, ok := v.(string); ok {
		forms = append(forms, s)
	} else {
		forms = append(forms, fmt.Sprintf("%#v", v), fmt.Sprintf("%+v", v), fmt.Sprintf("%v", v))
	}
	for _, form := range forms {
		if len(form) < minOnce {
			continue
		}
		for _, text := range []string{form, strings.ReplaceAll(form, "\n", "\n    ")} {
			said = strings.ReplaceAll(said, text, "(the value below)")
		}
	}
	return said
}

const (
	maxShown  = 40 // lines of a literal in a report
	lastShown = 8  // of them, those that are its last
)

// fold leaves out lines in the middle of a long literal of which a file has all.
func fold(shown string) string {
	lines := strings.Split(shown, "\n")
	left := len(lines) - maxShown
	if left <= 1 || testing.Verbose() || os.Getenv(engine.RunDir) != "" { // corpusgen reads all
		return shown
	}
	const first = maxShown - lastShown
	return strings.Join(lines[:first], "\n") +
		fmt.Sprintf("\n... %d more lines: the file has all of them, and -v shows them\n", left) +
		strings.Join(lines[first+left:], "\n")
}
