package jsonschema

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/bigen"
	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// expansion is what is known of the values of schemas. Generators compute it when they need it.
type expansion struct {
	mu     sync.Mutex
	nodes  map[nodeKey]*node
	unions map[string]*node
	bools  map[string]*js.Schema // by the place
	enums  map[*js.Schema][]given
	lastID int
	goals  map[string]*goal
	family *bigen.Family[spot, any]
}

// A goal is values that are wanted: those for which all literals hold.
type goal struct {
	x      *schemas
	lits   []lit
	state  state
	parts  []*part // what makes the values: nothing else does
	why    []string
	height int  // of the lowest value; endless if none is known to be finite
	size   int  // runes and parts of the smallest value, up to tooLarge
	large  bool // there is no value since all are too large

	once sync.Once
	gen  bigen.Gen[any]
}

type state uint8

const (
	untouched state = iota
	expanding
	expanded
)

const (
	endless  = math.MaxInt
	tooLarge = 1 << 24 // values of such a size are not made
)

// A part is the values of one type that have a shape.
type part struct {
	*shape
	typ  typeSet
	kids []*goal // of which each value of the part has one
}

// A spot is a goal at a depth in a value.
type spot struct {
	goal  *goal
	depth int
}

func newExpansion(x *schemas) *expansion {
	e := &expansion{
		nodes: map[nodeKey]*node{}, unions: map[string]*node{}, goals: map[string]*goal{},
		bools: map[string]*js.Schema{},
		enums: map[*js.Schema][]given{},
	}
	e.family = bigen.NewFamily(func(self *bigen.Family[spot, any]) bigen.Gen[any] {
		return bigen.Given(func(c *bigen.C) bigen.Gen[any] { return self.Param(c).goal.generator() })
	})
	return e
}

// keyOf returns a text for a set of literals.
func keyOf(lits []lit) string {
	var numbers []int
	for _, l := range lits {
		numbers = append(numbers, l.number())
	}
	slices.Sort(numbers)
	return fmt.Sprint(slices.Compact(numbers))
}

// goal returns the goal of literals.
func (x *schemas) goal(lits []lit) *goal {
	key := keyOf(lits)
	if x.goals[key] == nil {
		// In an order that does not depend on what was needed first: trees depend on it.
		sorted := slices.Clone(lits)
		slices.SortFunc(sorted, func(l, m lit) int { return strings.Compare(l.name(), m.name()) })
		x.goals[key] = &goal{x: x, lits: sorted, height: endless, size: tooLarge}
	}
	return x.goals[key]
}

// holds reports whether a value is one of the goal's, as far as that is known.
func (g *goal) holds(v any) bool {
	return !slices.ContainsFunc(g.lits, func(l lit) bool { return !l.holds(v) })
}

// excludes reports whether no value is valid for literals, as far as that is known: within what is
// being expanded, all are possible.
func (x *schemas) excludes(lits []lit) bool {
	g := x.goal(lits)
	g.expand()
	return g.state == expanded && len(g.parts) == 0
}

func (x *schemas) reason(lits []lit) string { return x.goal(lits).reason() }

func (g *goal) reason() string {
	const most = 3
	all := slices.Clone(g.why)
	// Which types there are tells least.
	slices.SortStableFunc(all, func(a, b string) int { return aboutTypes(a) - aboutTypes(b) })
	return strings.Join(all[:min(most, len(all))], "; ")
}

// aboutTypes is 1 for a reason that a type is missing, and 0 for others.
func aboutTypes(reason string) int {
	if by, _, _ := strings.Cut(reason, " "); strings.HasSuffix(by, "/type") {
		return 1
	}
	return 0
}

// expand computes the parts of a goal.
func (g *goal) expand() {
	if g.state != untouched {
		return
	}
	g.state = expanding
	shapes, why := g.x.shapesOf(g.lits)
	for _, s := range shapes {
		all := []typeSet{null, boolean, number, text, array, object}
		if s.listed {
			all = []typeSet{anything}
		}
		for _, t := range all {
			if t &= s.types; t != 0 {
				g.addPart(s, t)
			}
		}
		why = appendNew(why, s.why...)
	}
	g.why = appendNew(g.why, why...)
	g.state = expanded
}

func (g *goal) addPart(s *shape, t typeSet) {
	p := &part{shape: s, typ: t}
	if s.listed {
		g.parts = append(g.parts, p)
		return
	}
	switch why := ""; t {
	case text:
		if why = s.noText(g.holds); why != "" {
			g.why = appendNew(g.why, why)
			return
		}
	case array:
		if p.kids, why = s.requiredItems(); why != "" {
			g.why = appendNew(g.why, why)
			return
		}
	case object:
		if p.kids, why = s.requiredProperties(); why != "" {
			g.why = appendNew(g.why, why)
			return
		}
	case integer, fraction, number: // any of the two
		if _, ok := s.numberGen(t); !ok {
			g.why = appendNew(g.why, s.noNumber(t))
			return
		}
	}
	g.parts = append(g.parts, p)
}

// measure computes the heights of goals: without one, no value is finite.
func (x *schemas) measure(root *goal) {
	all, seen := []*goal{root}, map[*goal]bool{root: true}
	for i := 0; i < len(all); i++ {
		all[i].expand()
		for _, p := range all[i].parts {
			for _, kid := range p.kids {
				if !seen[kid] {
					seen[kid] = true
					all = append(all, kid)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, g := range all {
			for _, p := range g.parts {
				h, size := p.height(), p.size()
				if size < tooLarge && (h < g.height || size < g.size) {
					g.height, g.size, changed = min(g.height, h), min(g.size, size), true
				}
			}
		}
	}
	slices.Reverse(all) // kids first: their reasons are those of what needs them
	for _, g := range all {
		if g.height == endless && len(g.parts) > 0 {
			why := g.lits[0].place() + " asks that each value contains another, without end"
			for _, p := range g.parts {
				switch {
				case p.height() < endless:
					why = fmt.Sprintf("%s asks for values of more than %d runes and parts",
						g.lits[0].place(), tooLarge)
				case slices.ContainsFunc(p.kids, func(kid *goal) bool { return kid.large }):
					why = ""
				}
			}
			g.large = !strings.HasSuffix(why, "without end")
			if g.why = nil; why != "" {
				g.why = []string{why}
			}
		}
		g.parts = slices.DeleteFunc(g.parts, func(p *part) bool {
			if p.height() < endless && p.size() == tooLarge {
				return true
			}
			for _, kid := range p.kids {
				if kid.height == endless {
					if kid.parts == nil || g.height < endless || kid.large {
						g.why = appendNew(g.why, kid.why...)
					}
					return true
				}
			}
			return false
		})
		lowest := slices.IndexFunc(g.parts, func(p *part) bool { return p.height() == g.height })
		if lowest > 0 && g.parts[0].height() > g.height {
			p := g.parts[lowest]
			g.parts = slices.Insert(slices.Delete(g.parts, lowest, lowest+1), 0, p)
		}
	}
}

// height is above that of each kid.
func (p *part) height() (h int) {
	for _, kid := range p.kids {
		if kid.height == endless {
			return endless
		}
		h = max(h, kid.height+1)
	}
	return h
}

// size counts runes and parts of the smallest values, up to tooLarge.
func (p *part) size() int {
	total := int64(1)
	if p.typ == text && !p.listed {
		total += int64(p.minLen)
	}
	for _, kid := range p.kids {
		total += int64(kid.size)
	}
	if items := min(p.last()+1, p.minItems); p.typ == array && items > 0 && len(p.kids) >= items {
		total += int64(p.minItems-items) * int64(p.kids[items-1].size)
	}
	return int(min(total, tooLarge))
}

// possible reports whether a goal has a finite value.
func (g *goal) possible() bool {
	if g.height == endless {
		g.x.measure(g)
	}
	return g.height != endless
}

// generator returns the generator of a schema, which checks what it reads and makes.
func (x *schemas) generator(root *js.Schema) (bigen.Gen[any], error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	g := x.goal([]lit{yes(x.node(root, ""))})
	if !g.possible() {
		return bigen.Gen[any]{}, errors.New("no value is valid: " + g.reason())
	}
	return bigen.Satisfying(x.family.Gen(spot{g, 0}), func(v any) error { return check(root, v) }), nil
}

// check reports why a value is not one of JSON that a schema allows.
func check(root *js.Schema, v any) error {
	err := root.Validate(v)
	if foreign := notJSON(v, ""); foreign != nil {
		return foreign
	}
	if err != nil {
		return explain(err)
	}
	return nil
}

// notJSON returns an error for a value that json.Unmarshal does not make.
func notJSON(v any, at string) error {
	switch v := v.(type) {
	case nil, bool, float64, string:
		return nil
	case []any:
		for i := range v {
			if err := notJSON(v[i], fmt.Sprint(at, "/", i)); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if err := notJSON(v[name], at+"/"+escape.Replace(name)); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("at %q: it is of type %T: values are as encoding/json decodes them into an any, so "+
		"encode and decode what comes from elsewhere, such as YAML", at, v)
}

// explain returns why a value is not valid, in one line.
func explain(err error) error {
	var all []string
	var walk func(e *js.ValidationError)
	walk = func(e *js.ValidationError) {
		if len(e.Causes) == 0 {
			at := ""
			for _, name := range e.InstanceLocation {
				at += "/" + escape.Replace(name)
			}
			all = append(all, fmt.Sprintf("at %q: %s", at, e.ErrorKind.LocalizedString(printer)))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	var invalid *js.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	walk(invalid)
	slices.Sort(all)
	all = slices.Compact(all)
	const most = 5
	if len(all) > most {
		all = append(all[:most], fmt.Sprintf("and %d more", len(all)-most))
	}
	return errors.New(strings.Join(all, "; "))
}

// within returns the generator of a goal as a part of a value.
func (x *schemas) within(g *goal) bigen.Gen[any] {
	return bigen.Given(func(c *bigen.C) bigen.Gen[any] {
		return x.family.Gen(spot{g, x.family.Param(c).depth + 1})
	})
}

// textNode returns the node of the schema of all strings.
func (x *schemas) textNode() *node {
	key := nodeKey{textSchema, ""}
	if x.nodes[key] == nil {
		x.nodes[key] = &node{id: x.newID(), schema: textSchema, alone: true}
	}
	return x.nodes[key]
}

var textSchema = func() *js.Schema {
	types := new(js.Types)
	types.Add("string")
	return &js.Schema{Types: types, Location: "propertyNames"}
}()
