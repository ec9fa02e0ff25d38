package engine

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// TokensFile is the name, in [RunDir], of the [Tokens] for all targets of a run: a line for each, a
// text as Go quotes it or an integer in digits.
const TokensFile = "tokens"

// Tokens are texts and integers that inputs may need: literals in the source of the code under
// test, and the user's dictionary. Much code compares its input in ways that no hook sees: it looks
// for a text, or looks a key up in a map.
type Tokens struct {
	Texts   []string
	Numbers []uint64 // extended by their sign
}

// Write writes the file of tokens in a directory.
func (t Tokens) Write(dir string) error {
	var b strings.Builder
	for _, s := range t.Texts {
		fmt.Fprintln(&b, strconv.Quote(s))
	}
	for _, n := range t.Numbers {
		fmt.Fprintln(&b, int64(n))
	}
	return os.WriteFile(filepath.Join(dir, TokensFile), []byte(b.String()), 0o666)
}

// ReadTokens returns the tokens of this process's run, or none.
func ReadTokens() (t Tokens) {
	dir := os.Getenv(RunDir)
	if dir == "" {
		return t
	}
	file, err := os.Open(filepath.Join(dir, TokensFile))
	if err != nil {
		return t
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if s, err := strconv.Unquote(lines.Text()); err == nil {
			t.Texts = append(t.Texts, s)
		} else if n, err := strconv.ParseInt(lines.Text(), 10, 64); err == nil {
			t.Numbers = append(t.Numbers, uint64(n))
		}
	}
	return t
}
