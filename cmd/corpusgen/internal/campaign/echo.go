package campaign

import (
	"strings"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
)

// varies makes the class of a failure the place, since what is said there is not always the same.
func varies(failure *engine.Failure) {
	failure.Class, failure.Words, failure.Varies = failure.Place, "", true
}

// mark finds out whether the message of a failure echoes the arguments of the target.
func (r *apartRun) mark(failure *engine.Failure, args []any) error {
	if failure.Varies {
		return nil
	}
	echoes, err := r.echoes(failure, args)
	if echoes {
		varies(failure)
	}
	return err
}

// echoes reports whether the message of a failure has words that the target has made of its
// arguments, such as a text in reverse. If so, the target fails in the same place with each letter of
// the arguments replaced by the next one, and these words of the message have the next letters, too.
func (r *apartRun) echoes(failure *engine.Failure, args []any) (bool, error) {
	other, changed := shifted(args)
	if !changed || failure.Class == failure.Place || !placed(*failure) {
		return false, nil
	}
	end, err := r.run([][]byte{corpus.MarshalArgs(other)})
	if err != nil || len(end.fails) == 0 || engine.PlaceOf(end.fails[0].log) != failure.Place {
		return false, err
	}
	said := classified(engine.Failure{Log: end.fails[0].log}, other)
	return echoed(failure.Class, said.Class), nil
}

// echoed reports whether two classes have the same words, but for letters of some, in whose places
// the other has the next ones.
func echoed(class, other string) (echo bool) {
	words, others := strings.Fields(class), strings.Fields(other)
	if len(words) != len(others) {
		return false
	}
	for i, w := range words {
		next := shift(w)
		if len(w) != len(others[i]) {
			return false
		}
		for k := range w {
			switch c := others[i][k]; {
			case c == w[k]:
			case strings.EqualFold(string(next[k]), string(c)):
				echo = true
			default:
				return false
			}
		}
	}
	return echo
}

// shifted returns arguments whose texts have the next letters.
func shifted(args []any) (other []any, changed bool) {
	for _, a := range args {
		was := string(text(a))
		now := shift(was)
		switch changed = changed || now != was; a.(type) {
		case string:
			a = now
		case []byte:
			a = []byte(now)
		}
		other = append(other, a)
	}
	return other, changed
}

// shift returns a text with the next letter in place of each of ASCII, and the first after the last.
func shift(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case c == 'z' || c == 'Z':
			b[i] = c - 25
		case 'a' <= c && c < 'z', 'A' <= c && c < 'Z':
			b[i] = c + 1
		}
	}
	return string(b)
}
