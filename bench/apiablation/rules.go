package main

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A rule is what can be switched off.
type rule struct {
	name  string
	edits []edit
	parts []string // the rules that are switched off together, if it is a mechanism
}

// all returns the names of what is switched off.
func (r rule) all() []string {
	if len(r.parts) > 0 {
		return r.parts
	}
	return []string{r.name}
}

// An edit marks an expression in a file.
type edit struct {
	file, text string // the text has the expression in guillemets, or a =====> and what takes its place
	line       int
}

// rulesText has the rules. A rule is
//
//	rule NAME
//	file PATH
//	code of the file, in which «an expression» is false if the rule is switched off
//
// with any number of files, and an empty line between. In place of the marks, a line =====> may
// follow the code, and then other code, which calls RULE(x) for «x». Lines that begin with # are
// comments. The rule * holds what is changed in all runs. A mechanism is a line
//
//	mechanism NAME RULE...
//
// that names rules above it, which are switched off together: what one of them does, another may do
// in its absence.
//
//go:embed rules.txt
var rulesText string

func readRules() (rules []rule, err error) {
	var at *edit
	for i, line := range strings.Split(rulesText, "\n") {
		key, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
		case key == "rule" && rest != "":
			rules, at = append(rules, rule{name: rest}), nil
		case key == "mechanism":
			f := strings.Fields(rest)
			m := rule{name: f[0]}
			for _, part := range f[1:] {
				like, err := regexp.Compile("^(" + part + ")$")
				if err != nil {
					return nil, fmt.Errorf("rules.txt:%d: %w", i+1, err)
				}
				n := len(m.parts)
				for _, r := range rules {
					if like.MatchString(r.name) && len(r.parts) == 0 {
						m.parts = append(m.parts, r.name)
					}
				}
				if len(m.parts) == n {
					return nil, fmt.Errorf("rules.txt:%d: no rule is called %s", i+1, part)
				}
			}
			rules, at = append(rules, m), nil
		case key == "file" && len(rules) > 0:
			r := &rules[len(rules)-1]
			r.edits = append(r.edits, edit{file: rest, line: i + 1})
			at = &r.edits[len(r.edits)-1]
		case line == "":
			at = nil
		case at == nil:
			return nil, fmt.Errorf("rules.txt:%d: a line of no rule: %s", i+1, line)
		default:
			at.text += line + "\n"
		}
	}
	return rules, nil
}

// marker is the package of the copy that knows which rule is switched off. Each rule that matters
// leaves a file, which confined processes may make.
const marker = `package ablate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

var (
	off = strings.Fields(os.Getenv("ESPALIER_ABLATE"))
	dir = os.Getenv("ESPALIER_ABLATE_DIR")

	mu    sync.Mutex
	fired = map[string]bool{}
)

// Fires reports whether a rule applies, unless it is switched off.
func Fires(rule string, applies bool) bool {
	if !applies {
		return false
	}
	mu.Lock()
	defer mu.Unlock()
	if !fired[rule] {
		fired[rule] = true
		_ = os.WriteFile(filepath.Join(dir, "fired-"+strings.ReplaceAll(rule, "/", "!")), nil, 0o666)
	}
	return !slices.Contains(off, rule)
}
`

// mark edits a copy of the module.
func mark(root string, rules []rule) error {
	dir := filepath.Join(root, "internal", "ablate")
	err := errors.Join(os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, "ablate.go"), []byte(marker), 0o666))
	byFile := map[string][]change{}
	for _, r := range rules {
		for _, e := range r.edits {
			text, unread := os.ReadFile(filepath.Join(root, e.file))
			changes, wrong := e.changes(string(text), r.name)
			err = errors.Join(err, unread, wrong)
			byFile[e.file] = append(byFile[e.file], changes...)
		}
	}
	for file, changes := range byFile {
		err = errors.Join(err, rewrite(filepath.Join(root, file), changes))
	}
	return err
}

// A change puts a text in place of a range of a file.
type change struct {
	from, to int
	text     string
	inside   int // bytes that it is around of
}

// changes returns the changes of a file that make an edit.
func (e edit) changes(text, name string) ([]change, error) {
	call := fmt.Sprintf("ablate.Fires(%q, ", name)
	old, now, replaced := strings.Cut(e.text, "=====>\n")
	old = strings.Trim(old, "\n")
	before, after, _ := strings.Cut(old, "«")
	marked, after, _ := strings.Cut(after, "»")
	if !replaced {
		old = before + marked + after
	}
	at := strings.Index(text, old)
	if n := strings.Count(text, old); n != 1 {
		return nil, fmt.Errorf("rules.txt:%d: %s has the code %d times, not once:\n%s", e.line, e.file, n, old)
	}
	if !replaced {
		from := at + len(before)
		return []change{{from, from, call, len(marked)}, {from + len(marked), from + len(marked), ")", 0}}, nil
	}
	now = strings.Trim(strings.ReplaceAll(now, "RULE(", call), "\n")
	same := 0
	for same < min(len(old), len(now)) && old[same] == now[same] {
		same++
	}
	end := 0
	for end < min(len(old), len(now))-same && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	return []change{{at + same, at + len(old) - end, now[same : len(now)-end], 0}}, nil
}

// rewrite makes changes of a file.
func rewrite(path string, changes []change) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	slices.SortStableFunc(changes, func(x, y change) int { return cmp.Or(x.from-y.from, y.inside-x.inside) })
	text, at, calls := "", 0, false
	for _, c := range changes {
		if c.from < at {
			return fmt.Errorf("%s: two rules change %q", path, b[c.from:at])
		}
		text += string(b[at:c.from]) + c.text
		at, calls = c.to, calls || strings.Contains(c.text, "ablate.")
	}
	text += string(b[at:])
	if calls {
		clause := regexp.MustCompile(`(?m)^package \w+\n`).FindString(text)
		text = strings.Replace(text, clause, clause+"\nimport \"github.com/espalier-go/espalier/internal/ablate\"\n", 1)
	}
	if b, err = format.Source([]byte(text)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, b, 0o666)
}
