package api

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"
)

// clones are values that calls of a method Clone or Copy have made, with what they are made of.
// A call that has one of both as an argument must not change what the other says of itself.
type clones struct {
	anyCall
	pairs [][2]int32
	said  []said // of the values in pairs, before the call
}

func (c *clones) begin() { c.pairs, c.said = c.pairs[:0], c.said[:0] }

// said is what a value says of itself by String, Len and Size.
type said struct {
	text string
	size int
}

func say(v any) (s said) {
	s.size = -1
	_ = guarded(func() string {
		switch v := v.(type) {
		case lener:
			s.size = v.Len()
		case sizer:
			s.size = v.Size()
		}
		if v, ok := v.(fmt.Stringer); ok {
			s.text = v.String()
		}
		return ""
	})
	return s
}

// before notes what clones say.
func (c *clones) before(m *machine, _ bool) {
	c.said = c.said[:0]
	for _, p := range c.pairs {
		for _, slot := range p {
			c.said = append(c.said, say(m.cells[slot].value()))
		}
	}
}

// made notes a value that the call has made, if it clones.
func (c *clones) made(m *machine, _ int) {
	if t := m.touched; isCloner(m.op) && len(t) == 2 && m.cells[t[0]].of() == m.cells[t[1]].of() && !m.cells[t[1]].isNil() {
		c.pairs = append(c.pairs, [2]int32{t[0], t[1]})
	}
}

// alike reports whether two results are the same pointer, as where a method returns its receiver.
func (m *machine) alike(a, b int32) bool {
	x, y := m.cells[a], m.cells[b]
	return x.of() == y.of() && x.of().typ.Kind() == reflect.Pointer && x.value() == y.value()
}

// broken returns a violation if the call has changed a clone that it must not.
func (c *clones) broken(m *machine) *violation {
	for i, was := range c.said {
		slot, other := c.pairs[i/2][i%2], c.pairs[i/2][1-i%2]
		if !slices.Contains(m.touched, other) || slices.ContainsFunc(m.touched, func(t int32) bool { return t == slot || m.alike(t, slot) }) {
			continue
		}
		now := say(m.cells[slot].value())
		if now == was {
			continue
		}
		v := &violation{contract: "Clone shares nothing", wrong: "a call of the other changes it", slots: []int32{slot}}
		switch _, isLener := m.cells[slot].value().(lener); {
		case now.text != was.text:
			v.code = fmt.Sprintf("if s := %%[1]s.String(); s != %s {\n\tt.Errorf(\"a call of what it is cloned from, or of its clone, makes it %%%%q\", s)\n}", strings.ReplaceAll(strconv.Quote(was.text), "%", "%%"))
		default:
			method := "Size"
			if isLener {
				method = "Len"
			}
			v.code = fmt.Sprintf("if n := %%[1]s.%s(); n != %d {\n\tt.Error(n)\n}", method, was.size)
		}
		return v
	}
	return nil
}

func isCloner(o *Op) bool {
	return strings.HasSuffix(o.name, ".Clone") || strings.HasSuffix(o.name, ".Copy")
}
