// Package alike tells which failures are alike: by their messages, less what these quote of the
// value ([MessageKey], [Unechoed], [Wordings]), and by what minimal values need ([Pattern]).
package alike

import (
	"strings"

	"github.com/espalier-go/espalier/internal/engine"
)

// Wordings knows the messages of the failures in each place. Where more than a few have one wording,
// they seem to quote what is not known: their failures are of one class.
type Wordings map[string][]*Wording

// A Wording is what similar messages have in common: words at their beginnings and ends.
type Wording struct {
	first      []string // words of the first message
	begin, end int      // words of it that all have
	keys       map[string]bool
	one        bool // the failures are of one class
}

// maxWorded is how many messages of a wording are told apart.
const maxWorded = 8

// Key returns the class of a failure in a place, given the class of its message.
func (s Wordings) Key(place, key string) string {
	if sh, _ := s.find(place, key); sh != nil && sh.one {
		return sh.Key(place)
	}
	return key
}

// Add adds the class of a message. It returns its wording if the classes of that have just become
// one.
func (s Wordings) Add(place, key string) *Wording {
	sh, words := s.find(place, key)
	switch {
	case words == nil:
		return nil
	case sh == nil:
		sh = &Wording{first: words, begin: len(words), keys: map[string]bool{}}
		s[place] = append(s[place], sh)
	case sh.one:
		return nil
	default:
		begin, end := inCommon(sh.first, words)
		if sh.begin+sh.end < len(sh.first) {
			begin, end = min(begin, sh.begin), min(end, sh.end)
		}
		sh.begin, sh.end = begin, end
	}
	if sh.keys[key] = true; len(sh.keys) <= maxWorded {
		return nil
	}
	sh.one = true
	return sh
}

// find returns the wording of a message, or nil, and its words.
func (s Wordings) find(place, key string) (*Wording, []string) {
	message, ok := strings.CutPrefix(key, place+": ")
	if !ok {
		return nil, nil // the property has named the class, or says nothing
	}
	words := strings.Fields(message)
	for _, sh := range s[place] {
		begin, end := inCommon(sh.first, words)
		if longer := max(len(sh.first), len(words)); longer == 1 || 2*(begin+end) >= longer {
			return sh, words
		}
	}
	return nil, words
}

// Key returns the class of all failures in a place that have this wording.
func (sh *Wording) Key(place string) string {
	words := append([]string(nil), sh.first[:sh.begin]...)
	words = append(append(words, string(engine.Left)), sh.first[len(sh.first)-sh.end:]...)
	return engine.JoinClass(place, strings.Join(words, " "))
}

// Has reports whether the class of a message is one of this wording.
func (sh *Wording) Has(key string) bool { return sh.keys[key] }

// inCommon returns how many words at the beginning and at the end two messages have in common.
func inCommon(a, b []string) (begin, end int) {
	shorter := min(len(a), len(b))
	for begin < shorter && a[begin] == b[begin] {
		begin++
	}
	for end < shorter-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return begin, end
}
