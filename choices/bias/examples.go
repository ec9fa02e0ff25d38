package bias

import (
	"math"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// Examples are learned from, with the relations between their parts: they answer a
// question as they answered it in the same context, which is the slots and tags of the
// last four picks around it. So a tag that the examples have only below a certain other one
// stays there. [Follow], in contrast, knows how often each choice occurs, but not where.
//
// An answer to a pick, an integer or a text is one that the examples have in the longest
// context known from them. The rules:
//
//  1. The shortest context of a question is none. Each longer one adds, in this order: its slot
//     below the tag of the pick around it; the slots and tags of up to three more picks,
//     where of picks with one tag, each directly below the other, only the outermost counts,
//     so that recursion does not hide what is around it; the index of a pick, so that sequences
//     get the lengths of the examples; in such a recursion the slots and tags of the last four
//     picks; and the depth of the recursion, from 1.
//  2. In a context that occurs n times, with s answers that occur once, an answer comes from
//     the next shorter context with probability s / (n + s). (Answers
//     seen once estimate the share of unseen ones, as by Good and Turing.) So a context
//     that the examples often have, and where each of its answers repeats, is kept exactly.
//  3. A context that occurs no more often than the next longer one adds nothing, and does not
//     count.
//  4. Answers that the question does not allow are left out. If no context has another, the
//     generator's own distribution answers. For integers and texts it also answers if
//     the examples have none in the slot below the tag of the enclosing pick.
//  5. Once a value has twice as many picks as the largest example, it takes the first alternative
//     that the context has; with four times as many, the first of all, which ends it. With
//     Unlike, the generator's own distribution ends it.
//
// [Examples.Prior] makes sources of them, and tune.OfExamples a model, which fuzzext.WithModel
// reads from a file. Several goroutines may use them at once, unless one of them changes them.
type Examples struct {
	// Unlike makes values unlike the examples: an alternative that a context is expected to
	// have n times in the examples has 1/(n+1) of the weight that the generator gives it.
	// Integers and texts that the examples have in the same slot below the same tag are
	// avoided. After as many picks as the largest example has, the generator's own
	// distribution answers, so that values end as usual.
	Unlike bool

	tags  map[string]exampleTag
	names []string                      // of tags
	kinds [choices.Text + 1]exampleNode // by the kind of question
	trees int                           // examples
	picks int                           // of the largest example

	nodes, answers, text int // in all kinds; see the bounds
}

// An exampleTag stands for a tag: 1 and above for the names of Examples.names.
type exampleTag uint32

const (
	noTag      exampleTag = 0 // the value as a whole
	unknownTag exampleTag = math.MaxUint32
)

// An exampleNode is a context. Its children are the contexts that are longer by one step.
type exampleNode struct {
	longer  map[exampleStep]*exampleNode
	answers []exampleAnswer // by answerOrder
	total   uint32          // the sum of their counts
}

// An exampleStep extends a context by an outer pick, or by an index.
type exampleStep struct {
	slot  uint32     // that leads on from the branch of the pick
	tag   exampleTag // which the pick has taken
	place int32      // instead of a pick, from 1 on: 1 + an index, or the length of a run
}

// An exampleAnswer is an answer that occurs in a context.
type exampleAnswer struct {
	text  string // Text
	n     int64  // Int, Uint; Pick: the exampleTag
	count uint32
}

// A model has bounds, so that its file and its memory are bounded. What exceeds them is not
// learned. Longer contexts have less room.
const (
	examplePicks   = 4                  // around a question
	examplePlaces  = 256                // lengths of runs, and indices, that are distinguished
	exampleDepth   = 2*examplePicks + 1 // steps
	exampleNodes   = 1 << 16            // contexts
	exampleAnswers = 1 << 17            // in all contexts
	exampleHere    = 1 << 10            // answers of one context
	exampleText    = 1 << 20            // bytes of tags and texts
	exampleCount   = 1<<24 - 1          // of one answer
	exampleTotal   = math.MaxInt32      // of one context
)

// NewExamples returns a model that has learned from trees.
func NewExamples(trees ...choices.Tree) *Examples {
	m := new(Examples)
	for _, t := range trees {
		m.Add(t)
	}
	return m
}

// Add learns from one more example.
func (m *Examples) Add(t choices.Tree) {
	m.trees = min(m.trees+1, exampleTotal)
	var around exampleContext
	picks := 0
	for i, in := range t.Walk() {
		around = around[:min(len(in), len(around))]
		c := &t[i]
		if c.Kind > choices.Text {
			continue // an edit's mark
		}
		tag := noTag
		if c.Kind == choices.Pick {
			tag = m.learnTag(c.Tag)
		}
		if c.Kind != choices.Pick || c.Asked() {
			m.learn(c, tag, &around)
		}
		if c.Kind == choices.Pick {
			around.enter(c.Slot, tag)
			if c.Asked() {
				picks++
			}
		}
	}
	m.picks = max(m.picks, min(picks, exampleTotal))
}

// learnTag returns what stands for a tag.
func (m *Examples) learnTag(tag string) exampleTag {
	if known, ok := m.tags[tag]; ok {
		return known
	}
	if m.text+len(tag) > exampleText {
		return unknownTag
	}
	if m.tags == nil {
		m.tags = map[string]exampleTag{}
	}
	tag = strings.Clone(tag)
	m.text += len(tag)
	m.names = append(m.names, tag)
	m.tags[tag] = exampleTag(len(m.names))
	return m.tags[tag]
}

// learn counts an answer, for a pick its tag, in its contexts.
func (m *Examples) learn(c *choices.Choice, tag exampleTag, around *exampleContext) {
	a := exampleAnswer{n: c.N}
	switch {
	case tag == unknownTag:
		return
	case c.Kind == choices.Pick:
		a = exampleAnswer{n: int64(tag)}
	case c.Kind == choices.Text:
		a = exampleAnswer{text: c.Tag}
	}
	node := &m.kinds[c.Kind]
	if c.Kind == choices.Pick {
		m.count(node, c.Kind, a, 1)
	}
	for depth, step := range around.appendSteps(nil, c.Kind, c.Slot, c.Index) {
		room := exampleNodes / exampleDepth * (exampleDepth - depth)
		if node = m.longer(node, step, room); node == nil {
			return
		}
		m.count(node, c.Kind, a, 1)
	}
}

// longer returns the longer context of node, or nil if it is new and there is room for no more
// contexts.
func (m *Examples) longer(node *exampleNode, step exampleStep, room int) *exampleNode {
	next := node.longer[step]
	if next != nil {
		return next
	}
	if m.nodes >= room || step.tag == unknownTag {
		return nil
	}
	if node.longer == nil {
		node.longer = map[exampleStep]*exampleNode{}
	}
	next = new(exampleNode)
	node.longer[step] = next
	m.nodes++
	return next
}

// count adds to the count of an answer. It reports false if there is no room.
func (m *Examples) count(node *exampleNode, k choices.Kind, a exampleAnswer, count uint32) bool {
	i, ok := slices.BinarySearchFunc(node.answers, a, answerOrder(k).compare)
	if !ok {
		if node.total == exampleTotal || len(node.answers) == exampleHere ||
			m.answers == exampleAnswers || m.text+len(a.text) > exampleText {
			return false
		}
		m.answers++
		m.text += len(a.text)
		a.text, a.count = strings.Clone(a.text), 0
		node.answers = slices.Insert(node.answers, i, a)
	}
	count = min(count, exampleCount-node.answers[i].count, exampleTotal-node.total)
	node.answers[i].count += count
	node.total += count
	return true
}

// answerOrder is the order of the answers to questions of a kind.
type answerOrder choices.Kind

func (o answerOrder) compare(a, b exampleAnswer) int {
	switch k := choices.Kind(o); {
	case k == choices.Text:
		return strings.Compare(a.text, b.text)
	case k.Less(a.n, b.n):
		return -1
	case a.n == b.n:
		return 0
	}
	return 1
}

// An exampleContext is the picks around a question, the outermost first.
type exampleContext []examplePick

type examplePick struct {
	tag   exampleTag
	slot  uint32
	first uint32 // the slot of the outermost pick of the run
	run   int32  // picks of the run, up to this one
	outer int    // the index of the pick around the run, or -1
}

func (s *exampleContext) enter(slot uint32, tag exampleTag) {
	p := examplePick{tag, slot, slot, 1, len(*s) - 1}
	if p.outer >= 0 {
		if around := &(*s)[p.outer]; around.tag == tag {
			p.first, p.run, p.outer = around.first, around.run+1, around.outer
		}
	}
	*s = append(*s, p)
}

func (s *exampleContext) leave() { *s = (*s)[:len(*s)-1] }

// appendSteps appends the steps that lead from no context to the longest one of a question.
func (s exampleContext) appendSteps(
	steps []exampleStep, k choices.Kind, slot uint32, index int32,
) []exampleStep {
	repeated := false
	at := slot
	for i, n := len(s)-1, 0; n < examplePicks; n++ {
		if i < 0 {
			steps = append(steps, exampleStep{slot: at})
			break
		}
		steps = append(steps, exampleStep{slot: at, tag: s[i].tag})
		repeated = repeated || s[i].run > 1
		at, i = s[i].first, s[i].outer
	}
	if k == choices.Pick {
		steps = append(steps, exampleStep{place: min(index+1, examplePlaces)})
	}
	for i := len(s) - 2; repeated && i >= max(0, len(s)-examplePicks); i-- {
		steps = append(steps, exampleStep{slot: s[i+1].slot, tag: s[i].tag})
	}
	if len(s) > 0 {
		steps = append(steps, exampleStep{place: min(s[len(s)-1].run, examplePlaces)})
	}
	return steps
}
