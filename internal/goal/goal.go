// Package goal reads what the values of a generator should be like, as corpusgen tune -goal says
// it.
package goal

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bigen/tune"
)

// A Goal says what values should be like.
type Goal struct {
	Kind       string             // Measures, uniform, weighted, only, without, like or unlike
	Objectives []tune.Objective   // of Measures
	Weights    map[string]float64 // of weighted, by tag
	Names      []string           // of only and without: tags; of like and unlike: files
	Size       float64            // of uniform to without
}

// Measures is the kind of a goal of objectives.
const Measures = "measures"

// measures are the objectives that have a name.
var measures = []struct {
	name, usage string
	objective   func(target float64, tags ...string) tune.Objective
}{
	{"size", "values of N picks that take another alternative than their first, or N elements " +
		"of a slice", tune.Size},
	{"height", "values in which such picks nest N deep", tune.Height},
}

// Coverage is the name of the objective that values reach as much code as they can. Its function is
// set by who knows what a value reaches.
const Coverage = "coverage"

// Variety is the name of the objective [tune.Variety].
const Variety = "variety"

// wholes are the objectives without a number.
var wholes = []struct {
	name, usage string
	objective   tune.Objective
}{
	{Coverage, "values that reach as much of the code that fuzz follows as they can, together",
		tune.Cover[any](Coverage, nil)},
	{Variety, "values whose choices differ as much as they can, together", tune.Variety()},
	{"valid", "values that the property assumes, as often as weights can make it", tune.Valid()},
}

// kinds are the goals that are not objectives.
var kinds = []struct {
	name, args, usage string
	read              func(kind, text string) (Goal, error)
}{
	{"uniform", "", "each tag as near to 10 times in a value, on average, as weights can make it",
		readShares},
	{"weighted", " TAG=W,...", "each of these tags 10*W times in a value, on average. Others " +
		"are free", readShares},
	{"only", " TAG,...", "no other alternatives of the picks that have these tags. These come " +
		"as near to 10 times as weights can make it", readShares},
	{"without", " TAG,...", "no values with these tags; others as near to 10 times", readShares},
	{"like", " FILE...", "values like the corpus entries in these files and directories", readFiles},
	{"unlike", " FILE...", "values unlike them", readFiles},
}

// Usage describes each kind of goal: how it is written, and what values it asks for.
func Usage() (list [][2]string) {
	for _, m := range measures {
		list = append(list, [2]string{m.name + "=N", m.usage},
			[2]string{m.name + "(TAG,...)=N", "the same of the picks that take one of the tags"})
	}
	for _, w := range wholes {
		list = append(list, [2]string{w.name, w.usage})
	}
	for _, k := range kinds {
		list = append(list, [2]string{k.name + k.args, k.usage})
	}
	return list
}

// Parse reads a goal.
func Parse(text string) (Goal, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Goal{}, errors.New("say what values should be like, as in -goal size=100")
	}
	word := text
	if i := strings.IndexAny(text, " ,=("); i >= 0 {
		word = text[:i]
	}
	var known []string
	for _, m := range measures {
		if m.name == word {
			return readMeasures(text)
		}
		known = append(known, m.name+"=N")
	}
	for _, w := range wholes {
		if w.name == word {
			return readMeasures(text)
		}
		known = append(known, w.name)
	}
	for _, k := range kinds {
		if k.name == word {
			return k.read(word, strings.TrimSpace(text[len(word):]))
		}
		known = append(known, k.name)
	}
	return Goal{}, fmt.Errorf("%q: want %s", word, list(known))
}

// Covers reports whether an objective is Coverage.
func (g Goal) Covers() bool {
	return slices.ContainsFunc(g.Objectives, func(o tune.Objective) bool {
		return o.Name == Coverage
	})
}

func list(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// readMeasures reads objectives with commas between.
func readMeasures(text string) (Goal, error) {
	g := Goal{Kind: Measures}
	for more := true; more; {
		var clause string
		switch clause, text, more = cutClause(text); {
		case strings.Count(clause, "(") != strings.Count(clause, ")"):
			return Goal{}, fmt.Errorf("%q: a parenthesis is missing", clause)
		case more && strings.TrimSpace(text) == "":
			return Goal{}, errors.New("nothing follows the last comma")
		}
		o, err := readObjective(clause)
		if err != nil {
			return Goal{}, fmt.Errorf("%q: %w", clause, err)
		}
		g.Objectives = append(g.Objectives, o)
	}
	return g, nil
}

// cutClause cuts a text at the first comma that no parentheses enclose.
func cutClause(text string) (clause, rest string, more bool) {
	depth := 0
	for i, c := range text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// readObjective reads one objective.
func readObjective(clause string) (o tune.Objective, err error) {
	name, number, ok := strings.Cut(clause, "=")
	name, inner, has := strings.Cut(strings.TrimSpace(name), "(")
	var tags, known []string
	if has {
		for _, tag := range strings.Split(strings.TrimSuffix(inner, ")"), ",") {
			if tag = strings.TrimSpace(tag); tag == "" {
				return o, errors.New("a tag is empty")
			}
			tags = append(tags, tag)
		}
	}
	for _, m := range measures {
		known = append(known, m.name+"=N")
		if m.name == name && ok {
			target, err := positive(number, maxTarget)
			return m.objective(target, tags...), err
		}
	}
	for _, w := range wholes {
		known = append(known, w.name)
		if w.name == name && !ok && !has {
			return w.objective, nil
		}
	}
	if !ok {
		return o, fmt.Errorf("want %s", list(known))
	}
	return o, fmt.Errorf("%q is not an objective: want %s", name, list(known))
}

// readFiles reads a goal about corpus entries.
func readFiles(kind, text string) (Goal, error) {
	g := Goal{Kind: kind, Names: strings.Fields(text)}
	if len(g.Names) == 0 {
		return Goal{}, fmt.Errorf("%s needs files or directories of corpus entries", kind)
	}
	return g, nil
}

// readShares reads a goal about how often each tag occurs. Without a size, it is DRAGEN's in
// section 6.
func readShares(kind, text string) (Goal, error) {
	g := Goal{Kind: kind, Size: 10, Weights: map[string]float64{}}
	for _, item := range strings.Split(strings.TrimPrefix(text, ","), ",") {
		item = strings.TrimSpace(item)
		name, number, ok := strings.Cut(item, "=")
		name = strings.TrimSpace(name)
		switch {
		case item == "" && text == "":
		case name == "":
			return Goal{}, fmt.Errorf("%s %s: a tag is empty", kind, text)
		case ok && (name == "size" || kind == "weighted"):
			x, err := positive(number, maxSize)
			if err != nil {
				return Goal{}, fmt.Errorf("%q: %w", item, err)
			}
			if name == "size" {
				g.Size = x
			} else {
				g.Weights[name] = x
			}
		case kind == "weighted":
			return Goal{}, fmt.Errorf("%q: want TAG=N, with a number above 0", item)
		case ok || kind == "uniform":
			return Goal{}, fmt.Errorf("%s: %q is not an argument of it", kind, item)
		default:
			g.Names = append(g.Names, name)
		}
	}
	if kind != "uniform" && len(g.Names)+len(g.Weights) == 0 {
		return Goal{}, fmt.Errorf("%s needs tags", kind)
	}
	return g, nil
}

// The bounds of goals. A value has at most as many answers as maxTarget, unless the user says
// otherwise, and the weights of a branching process take time in proportion to the size.
const (
	maxTarget = 1e6
	maxSize   = 1 << 15
)

func positive(text string, most float64) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err == nil && x > most {
		return 0, fmt.Errorf("%q is too large: want at most %g", strings.TrimSpace(text), most)
	}
	if err != nil || !(x > 0) || math.IsInf(x, 1) {
		return 0, fmt.Errorf("%q is not a number above 0", strings.TrimSpace(text))
	}
	return x, nil
}

// Limit returns how many questions a value may ask.
func (g Goal) Limit() int {
	limit := 1000.0
	for _, o := range g.Objectives {
		limit = max(limit, 10*o.Target)
	}
	return int(min(limit, maxTarget))
}
