// Package shell writes commands that a user can paste into a POSIX shell. Reports of the library
// and messages of the tool both show such commands.
package shell

import (
	"regexp"
	"strings"
	"sync"
)

// Quote returns s as one word, in quotes.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

var plain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\w%+,./:=@-]+$`)
})

// Command returns a command of the given words, which it quotes where a shell needs that.
// In NAME=value it quotes the value alone: otherwise, the shell would not take it for an
// assignment.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		switch name, value, ok := strings.Cut(w, "="); {
		case plain().MatchString(w):
			quoted[i] = w
		case ok:
			quoted[i] = name + "=" + Quote(value)
		default:
			quoted[i] = Quote(w)
		}
	}
	return strings.Join(quoted, " ")
}
