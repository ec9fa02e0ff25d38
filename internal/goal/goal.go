// Package goal reads what the values of a generator should be like, as corpusgen tune -goal says it.
package goal

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bigen/tune"
)

// A Goal says what values should be like.
type Goal struct {
	Kind       string             // one of kinds, or Measures
	Objectives []tune.Objective   // of Measures
	Weights    map[string]float64 // of weighted, by tag
	Names      []string           // of only and without: tags; of like and unlike: files
	Size       float64            // of uniform to without
}

// Measures is the kind of a goal of objectives, the names of tune.Kinds.
const Measures = "measures"

// kinds are the others.
var kinds = []struct{ name, args, usage string }{
	{"uniform", "", "each tag as near to 10 times in a value, on average, as weights can make it"},
	{"weighted", " TAG=W,...", "each of these tags 10*W times in a value, on average. Others are free"},
	{"only", " TAG,...", "no other alternatives of the picks that have these tags. These come as near to 10 times as weights can make it"},
	{"without", " TAG,...", "no values with these tags; others as near to 10 times"},
	{"like", " FILE...", "values like the corpus entries in these files and directories"},
	{"unlike", " FILE...", "values unlike them"},
}

// Usage describes each kind of goal: how it is written, and what values it asks for.
func Usage() (list [][2]string) {
	for _, k := range tune.Kinds {
		list = append(list, [2]string{k.Name + "=N", "values " + k.Usage}, [2]string{k.Name + "(TAG,...)=N", "the same of the picks that take one of the tags"})
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
	rest := strings.TrimSpace(strings.TrimPrefix(text, word))
	var known []string
	for _, k := range tune.Kinds {
		if k.Name == word {
			return measures(text)
		}
		known = append(known, k.Name+"=N")
	}
	for _, k := range kinds {
		switch {
		case k.name != word:
			known = append(known, k.name)
			continue
		case word == "like" || word == "unlike":
			names := strings.Fields(rest)
			if len(names) == 0 {
				return Goal{}, fmt.Errorf("%s needs files or directories of corpus entries", word)
			}
			return Goal{Kind: word, Names: names}, nil
		}
		return shares(word, strings.TrimPrefix(rest, ","))
	}
	return Goal{}, fmt.Errorf("%q: want %s", word, list(known))
}

func list(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// measures reads objectives with commas between.
func measures(text string) (Goal, error) {
	g := Goal{Kind: Measures}
	for text != "" {
		clause, err := cutClause(&text)
		if err != nil {
			return Goal{}, err
		}
		o, err := objective(clause)
		if err != nil {
			return Goal{}, fmt.Errorf("%q: %w", clause, err)
		}
		g.Objectives = append(g.Objectives, o)
	}
	return g, nil
}

// objective reads one objective.
func objective(clause string) (o tune.Objective, err error) {
	var known []string
	for _, k := range tune.Kinds {
		known = append(known, k.Name+"=N")
	}
	name, number, ok := strings.Cut(clause, "=")
	if !ok {
		return o, fmt.Errorf("want %s", list(known))
	}
	target, err := positive(number)
	if err != nil {
		return o, err
	}
	name, inner, has := strings.Cut(strings.TrimSpace(name), "(")
	var tags []string
	if has {
		for _, tag := range strings.Split(strings.TrimSuffix(inner, ")"), ",") {
			if tag = strings.TrimSpace(tag); tag == "" {
				return o, errors.New("a tag is empty")
			}
			tags = append(tags, tag)
		}
	}
	for _, k := range tune.Kinds {
		if k.Name == name {
			return k.New(target, tags...), nil
		}
	}
	return o, fmt.Errorf("%q is no objective: want %s", name, list(known))
}

// cutClause cuts the text up to a comma that no parentheses enclose.
func cutClause(text *string) (string, error) {
	depth := 0
	for i, c := range *text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			clause := (*text)[:i]
			*text = strings.TrimSpace((*text)[i+1:])
			if *text == "" {
				return "", errors.New("nothing follows the last comma")
			}
			return clause, nil
		}
	}
	if depth != 0 {
		return "", fmt.Errorf("%q: a parenthesis is missing", *text)
	}
	clause := *text
	*text = ""
	return clause, nil
}

// defaultSize is DRAGEN's size in section 6.
const defaultSize = 10

// shares reads a goal about how often each tag occurs.
func shares(kind, text string) (Goal, error) {
	g := Goal{Kind: kind, Size: defaultSize, Weights: map[string]float64{}}
	for _, item := range strings.Split(text, ",") {
		item = strings.TrimSpace(item)
		name, number, ok := strings.Cut(item, "=")
		name = strings.TrimSpace(name)
		switch {
		case item == "" && text == "":
		case name == "":
			return Goal{}, fmt.Errorf("%s %s: a tag is empty", kind, text)
		case ok && name == "size":
			size, err := positive(number)
			if err != nil {
				return Goal{}, fmt.Errorf("%q: %w", item, err)
			}
			g.Size = size
		case kind == "weighted":
			weight, err := positive(number)
			if err != nil || !ok {
				return Goal{}, fmt.Errorf("%q: want TAG=N, with a number above 0", item)
			}
			g.Weights[name] = weight
		case ok || kind == "uniform":
			return Goal{}, fmt.Errorf("%s: %q is no argument of it", kind, item)
		default:
			g.Names = append(g.Names, name)
		}
	}
	if kind != "uniform" && len(g.Names)+len(g.Weights) == 0 {
		return Goal{}, fmt.Errorf("%s needs tags", kind)
	}
	return g, nil
}

func positive(text string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
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
	return int(min(limit, 1e6))
}
