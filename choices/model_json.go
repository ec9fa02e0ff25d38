package choices

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/exp/slices"
)

// The JSON of a model, version 1:
//
//	{
//	  "format": "espalier examples", "version": 1,
//	  "generalize": 1, "unlike": false, "trees": 300, "picks": 17,
//	  "pick": context, "int": context, "uint": context, "text": context
//	}
//
// A context is {"seen": {"plus": 7, "minus": 2}, "in": {"plus/9e3779b1": context, "#2": context}}:
// how often each answer occurs in it, and the longer contexts: by the tag of the next pick
// around, with the slot in hexadecimal, or by a place (see modelStep). A context without "seen" has the
// answers of the shorter one. An answer or a tag that is no valid UTF-8, or begins with a double
// quote, is written as a Go string.
const (
	modelFormat  = "espalier examples"
	modelVersion = 1

	maxModelFile = 1 << 24 // bytes
)

// MarshalJSON returns m as JSON: at most 16 MiB, the same for models that have learned the same
// trees in the same order.
func (m *Model) MarshalJSON() ([]byte, error) {
	w := modelWriter{names: m.names}
	fmt.Fprintf(&w, "{\n%q: %q, %q: %d,\n", "format", modelFormat, "version", modelVersion)
	fmt.Fprintf(&w, "%q: %s, %q: %t, ", "generalize", strconv.FormatFloat(float64(m.generalize())/modelScale, 'g', -1, 64), "unlike", m.Unlike)
	fmt.Fprintf(&w, "%q: %d, %q: %d", "trees", m.trees, "picks", m.picks)
	for k := range m.kinds {
		fmt.Fprintf(&w, ",\n%q: ", modelKinds[k])
		w.node(Kind(k), &m.kinds[k], nil)
	}
	w.WriteString("\n}\n")
	return w.Bytes(), nil
}

var modelKinds = [...]string{Pick: "pick", Int: "int", Uint: "uint", Text: "text"}

type modelWriter struct {
	bytes.Buffer
	names []string // of tags
	depth int
}

func (w *modelWriter) node(k Kind, n, shorter *modelNode) {
	w.WriteByte('{')
	if shorter == nil && len(n.answers) > 0 || shorter != nil && !slices.Equal(n.answers, shorter.answers) {
		w.WriteString(`"seen": {`)
		answers := n.answers
		if k == Pick {
			answers = slices.Clone(answers)
			slices.SortFunc(answers, func(a, b modelAnswer) int { return strings.Compare(w.names[a.n-1], w.names[b.n-1]) })
		}
		for i := range answers {
			if i > 0 {
				w.WriteString(", ")
			}
			fmt.Fprintf(w, "%s: %d", quoted(w.answer(k, &answers[i])), answers[i].count)
		}
		w.WriteByte('}')
		if len(n.longer) > 0 {
			w.WriteString(", ")
		}
	}
	if len(n.longer) > 0 {
		w.WriteString(`"in": {`)
		steps := make([]modelStep, 0, len(n.longer))
		for step := range n.longer {
			steps = append(steps, step)
		}
		slices.SortFunc(steps, func(a, b modelStep) int {
			return cmp.Or(cmp.Compare(a.place, b.place), strings.Compare(w.tag(a), w.tag(b)), cmp.Compare(a.slot, b.slot))
		})
		w.depth++
		for i, step := range steps {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString("\n" + "         "[:w.depth])
			w.WriteString(quoted(w.step(step)) + ": ")
			w.node(k, n.longer[step], n)
		}
		w.depth--
		w.WriteByte('}')
	}
	w.WriteByte('}')
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // of a string, never an error
	return string(b)
}

// answer returns the name of an answer in the file.
func (w *modelWriter) answer(k Kind, a *modelAnswer) string {
	switch k {
	case Int:
		return strconv.FormatInt(a.n, 10)
	case Uint:
		return strconv.FormatUint(uint64(a.n), 10)
	case Pick:
		return escaped(w.names[a.n-1])
	}
	return escaped(a.text)
}

// step returns the name of a step in the file.
func (w *modelWriter) step(s modelStep) string {
	if s.place > 0 {
		return fmt.Sprintf("#%d", s.place)
	}
	return fmt.Sprintf("%s/%x", w.tag(s), s.slot)
}

// tag returns the name of the tag of a step: "" for the value as a whole.
func (w *modelWriter) tag(s modelStep) string {
	switch {
	case s.tag == noTag:
		return ""
	case w.names[s.tag-1] == "":
		return `""`
	}
	return escaped(w.names[s.tag-1])
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

// UnmarshalJSON sets m to a model in the format of MarshalJSON. It returns an error that says what to
// do, and leaves m unchanged, if data is anything else. It allocates at most about 100 MB,
// whatever data is.
func (m *Model) UnmarshalJSON(data []byte) error {
	n, err := parseModel(data)
	if err != nil {
		return fmt.Errorf("choices: %w", err)
	}
	*m = *n
	return nil
}

func parseModel(data []byte) (*Model, error) {
	if len(data) > maxModelFile {
		return nil, fmt.Errorf("the model has more than %d bytes: learn it again, from fewer examples", maxModelFile)
	}
	var head struct {
		Format  string
		Version int
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Format != modelFormat {
		return nil, fmt.Errorf("no model of examples: want a JSON object whose %q is %q", "format", modelFormat)
	}
	switch {
	case head.Version > modelVersion:
		return nil, fmt.Errorf("the model has format version %d, and this version of Espalier reads none after %d: use the version that saved it, or learn it again", head.Version, modelVersion)
	case head.Version < 1:
		return nil, fmt.Errorf("the model has format version %d, and there is none before 1: learn it again", head.Version)
	}
	r := modelReader{Decoder: json.NewDecoder(bytes.NewReader(data))}
	r.UseNumber()
	if err := r.model(); err != nil {
		return nil, fmt.Errorf("the model is malformed at byte %d: %w: restore it, or learn it again", r.InputOffset(), err)
	}
	return &r.Model, nil
}

// modelReader reads a model from JSON that is known to be valid.
type modelReader struct {
	*json.Decoder
	Model
}

func (r *modelReader) model() error {
	return r.object(func(key string) (err error) {
		switch key {
		case "format", "version":
			_, err = r.Token()
			return err
		case "generalize":
			return r.generalizeBy()
		case "unlike":
			var token json.Token
			token, err = r.Token()
			unlike, ok := token.(bool)
			if r.Unlike = unlike; err == nil && !ok {
				err = fmt.Errorf("%q is no boolean", key)
			}
			return err
		case "trees":
			r.trees, err = r.number(key, 0, modelTotal)
			return err
		case "picks":
			r.picks, err = r.number(key, 0, modelTotal)
			return err
		}
		k := slices.Index(modelKinds[:], key)
		if k < 0 {
			return fmt.Errorf("%q is unknown", key)
		}
		return r.node(Kind(k), &r.kinds[k], nil, 0)
	})
}

// object reads an object. It calls value for each key, which must differ.
func (r *modelReader) object(value func(key string) error) error {
	if token, err := r.Token(); err != nil || token != json.Delim('{') {
		return cmp.Or(err, errors.New("want an object"))
	}
	for r.More() {
		key, err := r.Token()
		if err == nil {
			err = value(key.(string))
		}
		if err != nil {
			return err
		}
	}
	_, err := r.Token()
	return err
}

func (r *modelReader) number(what string, least, most int) (int, error) {
	token, err := r.Token()
	if err != nil {
		return 0, err
	}
	number, _ := token.(json.Number)
	n, err := strconv.Atoi(number.String())
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("%q is not an integer from %d to %d", what, least, most)
	}
	return n, nil
}

func (r *modelReader) generalizeBy() error {
	token, err := r.Token()
	if err != nil {
		return err
	}
	number, _ := token.(json.Number)
	r.Generalize, err = number.Float64()
	if !(err == nil && r.Generalize >= 0 && r.Generalize <= modelGenerals) {
		return fmt.Errorf("%q is not a number from 0 to %d", "generalize", modelGenerals)
	}
	return nil
}

// node reads a context.
func (r *modelReader) node(k Kind, n, shorter *modelNode, depth int) error {
	err := r.object(func(key string) error {
		switch {
		case key == "seen" && n.answers == nil && n.longer == nil:
			return r.seen(k, n)
		case key == "in" && n.longer == nil:
			if err := r.inherit(k, n, shorter); err != nil {
				return err
			}
			return r.in(k, n, depth)
		}
		return fmt.Errorf("%q is unknown or out of place in a context", shortened(key))
	})
	if err == nil {
		err = r.inherit(k, n, shorter)
	}
	return err
}

// inherit copies the answers of the shorter context, unless there are others.
func (r *modelReader) inherit(k Kind, n, shorter *modelNode) error {
	if shorter == nil || n.answers != nil {
		return nil
	}
	for _, a := range shorter.answers {
		if !r.count(n, k, a, a.count) {
			return errTooMany
		}
	}
	return nil
}

var errTooMany = errors.New("too many answers")

func (r *modelReader) seen(k Kind, n *modelNode) error {
	n.answers = []modelAnswer{}
	return r.object(func(name string) error {
		a, err := r.answerNamed(k, name)
		if err != nil {
			return fmt.Errorf("the answer %q: %w", shortened(name), err)
		}
		count, err := r.number(shortened(name), 1, modelCount)
		if err != nil {
			return err
		}
		if _, known := slices.BinarySearchFunc(n.answers, a, k.compareAnswers); known {
			return fmt.Errorf("the answer %q is there twice", shortened(name))
		}
		if !r.count(n, k, a, uint32(count)) {
			return errTooMany
		}
		return nil
	})
}

func (r *modelReader) answerNamed(k Kind, name string) (a modelAnswer, err error) {
	switch k {
	case Int:
		a.n, err = strconv.ParseInt(name, 10, 64)
	case Uint:
		var n uint64
		n, err = strconv.ParseUint(name, 10, 64)
		a.n = int64(n)
	case Pick:
		var tag modelTag
		tag, err = r.tagNamed(name)
		a.n = int64(tag)
	default:
		a.text, err = unescaped(name)
	}
	return a, err
}

func (r *modelReader) tagNamed(name string) (modelTag, error) {
	name, err := unescaped(name)
	if err != nil {
		return unknownTag, err
	}
	tag := r.learnTag(name)
	if tag == unknownTag {
		return tag, errors.New("too many tags")
	}
	return tag, nil
}

func (r *modelReader) in(k Kind, n *modelNode, depth int) error {
	return r.object(func(name string) error {
		step, err := r.stepNamed(name)
		if err != nil || depth >= modelDepth {
			return fmt.Errorf("%q is no context: want a tag and a slot, as in plus/9e3779b1, or a place, as in #2", shortened(name))
		}
		if n.longer[step] != nil {
			return fmt.Errorf("the context %q is there twice", shortened(name))
		}
		longer := r.longer(n, step, modelNodes)
		if longer == nil {
			return errors.New("too many contexts")
		}
		return r.node(k, longer, n, depth+1)
	})
}

func (r *modelReader) stepNamed(name string) (step modelStep, err error) {
	if place, ok := strings.CutPrefix(name, "#"); ok {
		i, err := strconv.ParseUint(place, 10, 16)
		if i == 0 || i > modelPlaces {
			err = strconv.ErrRange
		}
		return modelStep{place: int32(i)}, err
	}
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return step, io.ErrUnexpectedEOF
	}
	slot, err := strconv.ParseUint(name[i+1:], 16, 32)
	if err == nil {
		step.slot = uint32(slot)
		if i > 0 {
			step.tag, err = r.tagNamed(name[:i])
		}
	}
	return step, err
}

func shortened(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
