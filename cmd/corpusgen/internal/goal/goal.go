// Package goal reads what the values of a generator shall be like.
package goal

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/internal/job"
)

// A Goal says what values shall be like.
type Goal struct {
	Kind       Kind
	Objectives []job.Objective    // of Measures
	Various    bool               // with Measures: raise the entropy of the values that meet them
	Weights    map[string]float64 // of Weighted, by tag
	Names      []string           // of Only and Without: tags; of Like and Unlike: files
	Size       float64            // of Uniform to Without
}

// A Kind is a kind of goal.
type Kind string

// The kinds of goals.
const (
	Measures     Kind = "measures"
	Uniform      Kind = "uniform"
	Weighted     Kind = "weighted"
	Only         Kind = "only"
	Without      Kind = "without"
	Like         Kind = "like"
	Unlike       Kind = "unlike"
	Entropy      Kind = "entropy"
	ValidEntropy Kind = "valid-entropy"
)

// defaultSize is DRAGEN's size in section 6.
const defaultSize = 10

// Parse reads a goal.
func Parse(text string) (Goal, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Goal{}, errors.New("say what values shall be like, as in -goal size=100")
	}
	word := text
	if i := strings.IndexAny(text, " ,=("); i >= 0 {
		word = text[:i]
	}
	rest := strings.TrimSpace(strings.TrimPrefix(text, word))
	switch kind := Kind(word); kind {
	case "size", "height":
		return measures(text)
	case Entropy, ValidEntropy:
		if rest != "" {
			return Goal{}, fmt.Errorf("%s has no arguments: %q", kind, rest)
		}
		return Goal{Kind: kind}, nil
	case Like, Unlike:
		names := strings.Fields(rest)
		if len(names) == 0 {
			return Goal{}, fmt.Errorf("%s needs files or directories of corpus entries", kind)
		}
		return Goal{Kind: kind, Names: names}, nil
	case Uniform, Weighted, Only, Without:
		return shares(kind, strings.TrimPrefix(rest, ","))
	}
	return Goal{}, fmt.Errorf("%q: want size=N, height=N, uniform, weighted, only, without, like, unlike, entropy or valid-entropy", word)
}

// measures reads objectives with commas between.
func measures(text string) (Goal, error) {
	g := Goal{Kind: Measures}
	for text != "" {
		var o job.Objective
		clause, err := cutClause(&text)
		if err != nil {
			return Goal{}, err
		}
		if clause == string(Entropy) && len(g.Objectives) > 0 {
			g.Various = true
			continue
		}
		name, number, ok := strings.Cut(clause, "=")
		if !ok {
			return Goal{}, fmt.Errorf("%q: want size=N or height=N", clause)
		}
		if o.Target, err = positive(number); err != nil {
			return Goal{}, fmt.Errorf("%q: %w", clause, err)
		}
		name, tags, has := strings.Cut(strings.TrimSpace(name), "(")
		if o.Kind = name; name != "size" && name != "height" {
			return Goal{}, fmt.Errorf("%q: want size or height", name)
		}
		if has {
			for _, tag := range strings.Split(strings.TrimSuffix(tags, ")"), ",") {
				if tag = strings.TrimSpace(tag); tag == "" {
					return Goal{}, fmt.Errorf("%q: a tag is empty", clause)
				}
				o.Tags = append(o.Tags, tag)
			}
		}
		g.Objectives = append(g.Objectives, o)
	}
	return g, nil
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

// shares reads a goal about how often each tag occurs.
func shares(kind Kind, text string) (Goal, error) {
	g := Goal{Kind: kind, Size: defaultSize}
	if kind == Weighted {
		g.Weights = map[string]float64{}
	}
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
		case kind == Weighted:
			weight, err := positive(number)
			if err != nil || !ok {
				return Goal{}, fmt.Errorf("%q: want TAG=N, with a number above 0", item)
			}
			g.Weights[name] = weight
		case ok || kind == Uniform:
			return Goal{}, fmt.Errorf("%s: %q is no argument of it", kind, item)
		default:
			g.Names = append(g.Names, name)
		}
	}
	if kind != Uniform && len(g.Names)+len(g.Weights) == 0 {
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
