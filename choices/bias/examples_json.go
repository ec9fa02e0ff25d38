package bias

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// An examplesJSON is Examples as JSON. It is the data of a model of kind "examples"; see
// bigen/tune/model_file.go.
type examplesJSON struct {
	Format     string   `json:"format,omitempty"` // of version 1, which had a file of its own
	Version    int      `json:"version,omitempty"`
	Generalize *float64 `json:"generalize,omitempty"`

	Unlike bool         `json:"unlike"`
	Trees  uint32       `json:"trees"`
	Picks  uint32       `json:"picks"`
	Pick   *contextJSON `json:"pick"`
	Int    *contextJSON `json:"int"`
	Uint   *contextJSON `json:"uint"`
	Text   *contextJSON `json:"text"`
}

// A contextJSON says how often each answer occurs in a context, and has the longer contexts: by the
// tag of the next enclosing pick, with the slot in hexadecimal, as in "plus/9e3779b1", or by a
// place (see exampleStep), as in "#2". A context without Seen has the answers of the shorter one.
// An answer or a tag that is not valid UTF-8, or begins with a double quote or a #, is written as a
// Go string.
type contextJSON struct {
	Seen map[string]uint32       `json:"seen,omitzero"`
	In   map[string]*contextJSON `json:"in,omitempty"`
}

// kinds returns the contexts of each kind.
func (j *examplesJSON) kinds() [choices.Text + 1]**contextJSON {
	return [...]**contextJSON{
		choices.Pick: &j.Pick, choices.Int: &j.Int, choices.Uint: &j.Uint, choices.Text: &j.Text,
	}
}

// MarshalJSON returns e as JSON. Examples that have learned the same trees in the same order have
// the same JSON.
func (e *Examples) MarshalJSON() ([]byte, error) {
	out := examplesJSON{Unlike: e.Unlike, Trees: uint32(e.trees), Picks: uint32(e.picks)}
	for k, context := range out.kinds() {
		*context = e.data(choices.Kind(k), &e.kinds[k], nil)
	}
	return json.Marshal(out)
}

func (e *Examples) data(k choices.Kind, n, shorter *exampleNode) *contextJSON {
	j := &contextJSON{In: map[string]*contextJSON{}}
	if shorter == nil || !slices.Equal(n.answers, shorter.answers) {
		j.Seen = map[string]uint32{}
		for i := range n.answers {
			j.Seen[e.answerName(k, &n.answers[i])] = n.answers[i].count
		}
	}
	for step, longer := range n.longer {
		j.In[e.stepName(step)] = e.data(k, longer, n)
	}
	return j
}

// answerName returns the name of an answer in the file.
func (e *Examples) answerName(k choices.Kind, a *exampleAnswer) string {
	switch k {
	case choices.Int:
		return strconv.FormatInt(a.n, 10)
	case choices.Uint:
		return strconv.FormatUint(uint64(a.n), 10)
	case choices.Pick:
		return escaped(e.names[a.n-1])
	}
	return escaped(a.text)
}

// stepName returns the name of a step in the file. Its tag is "" for the value as a whole.
func (e *Examples) stepName(s exampleStep) string {
	tag := ""
	switch {
	case s.place > 0:
		return fmt.Sprintf("#%d", s.place)
	case s.tag == noTag:
	case e.names[s.tag-1] == "":
		tag = `""`
	default:
		tag = escaped(e.names[s.tag-1])
	}
	return fmt.Sprintf("%s/%x", tag, s.slot)
}

func escaped(s string) string {
	if strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "#") || !utf8.ValidString(s) {
		return strconv.Quote(s)
	}
	return s
}

func unescaped(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	return strconv.Unquote(s)
}

// UnmarshalJSON sets e to examples in the format of MarshalJSON. It returns an error, and leaves e
// unchanged, if data is anything else. What it allocates is in proportion to the length of data.
func (e *Examples) UnmarshalJSON(data []byte) error {
	var in examplesJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return fmt.Errorf("choices: no examples: %w", err)
	}
	n := &Examples{
		Unlike: in.Unlike, trees: int(min(in.Trees, exampleTotal)),
		picks: int(min(in.Picks, exampleTotal)),
	}
	for k, context := range in.kinds() {
		if err := n.read(choices.Kind(k), &n.kinds[k], nil, *context, 0); err != nil {
			return fmt.Errorf("choices: no examples: %w", err)
		}
	}
	*e = *n
	return nil
}

var errTooMany = errors.New("too many answers, contexts or tags: learn from fewer examples")

// read reads a context.
func (e *Examples) read(k choices.Kind, n, shorter *exampleNode, in *contextJSON, depth int) error {
	if in == nil {
		in = &contextJSON{}
	}
	if err := e.readAnswers(k, n, shorter, in.Seen); err != nil {
		return err
	}
	for _, name := range sortedKeys(in.In) {
		step, err := e.stepNamed(name)
		if err != nil || depth >= exampleDepth {
			return fmt.Errorf(
				"%q is not a context: want a tag and a slot, as in plus/9e3779b1, or a place, as "+
					"in #2",
				shortened(name),
			)
		}
		longer := e.longer(n, step, exampleNodes)
		if longer == nil {
			return errTooMany
		}
		if err := e.read(k, longer, n, in.In[name], depth+1); err != nil {
			return err
		}
	}
	return nil
}

// readAnswers reads the answers of a context. If there are none, it has the answers of the shorter
// one.
func (e *Examples) readAnswers(
	k choices.Kind, n, shorter *exampleNode, seen map[string]uint32,
) error {
	if seen == nil && shorter != nil {
		for _, a := range shorter.answers {
			if !e.count(n, k, a, a.count) {
				return errTooMany
			}
		}
	}
	for _, name := range sortedKeys(seen) {
		a, err := e.answerNamed(k, name)
		if err != nil {
			return fmt.Errorf("the answer %q: %w", shortened(name), err)
		}
		if c := seen[name]; c < 1 || c > exampleCount {
			return fmt.Errorf(
				"the answer %q occurs %d times: want 1 to %d", shortened(name), c, exampleCount,
			)
		}
		if !e.count(n, k, a, seen[name]) {
			return errTooMany
		}
	}
	return nil
}

func (e *Examples) answerNamed(k choices.Kind, name string) (a exampleAnswer, err error) {
	switch k {
	case choices.Int:
		a.n, err = strconv.ParseInt(name, 10, 64)
	case choices.Uint:
		var n uint64
		n, err = strconv.ParseUint(name, 10, 64)
		a.n = int64(n)
	case choices.Pick:
		var tag exampleTag
		tag, err = e.tagNamed(name)
		a.n = int64(tag)
	default:
		a.text, err = unescaped(name)
	}
	return a, err
}

func (e *Examples) tagNamed(name string) (exampleTag, error) {
	name, err := unescaped(name)
	if err != nil {
		return unknownTag, err
	}
	tag := e.learnTag(name)
	if tag == unknownTag {
		return tag, errTooMany
	}
	return tag, nil
}

func (e *Examples) stepNamed(name string) (step exampleStep, err error) {
	if place, ok := strings.CutPrefix(name, "#"); ok {
		i, err := strconv.ParseUint(place, 10, 16)
		if i == 0 || i > examplePlaces {
			err = strconv.ErrRange
		}
		return exampleStep{place: int32(i)}, err
	}
	i := strings.LastIndexByte(name, '/')
	slot, err := strconv.ParseUint(name[i+1:], 16, 32)
	if step.slot = uint32(slot); err == nil && i > 0 {
		step.tag, err = e.tagNamed(name[:i])
	}
	if i < 0 {
		err = strconv.ErrSyntax
	}
	return step, err
}

func shortened(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
