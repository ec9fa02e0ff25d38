package api

import (
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"
)

// watched is what a call must leave as it is. It is noted when the call is given its arguments.
type watched struct {
	on     bool
	clones [][2]int32  // what calls of Clone or Copy have been given, and made
	said   []said      // of values whose clones are arguments of the call
	valid  []*contract // that the receiver keeps
	of     int32       // that receiver
}

// said is what a value has said of itself by String, Len and Size.
type said struct {
	slot int32
	text string
	size int
}

// watch has the next call watched. If it is like the one before it, what that has left valid
// still counts.
func (m *machine) watch(again bool) {
	m.watched.on, m.said = true, m.said[:0]
	if !again {
		m.valid, m.of = m.valid[:0], -1
	}
}

// note notes an argument of the call that runs.
func (m *machine) note(v cell) {
	if !m.watched.on || v.about().slot < 0 {
		return
	}
	for _, pair := range m.clones {
		for i, slot := range pair {
			if slot == v.about().slot {
				m.said = append(m.said, say(m.cells[pair[1-i]]))
			}
		}
	}
	if v.about().slot != m.receiver || m.of >= 0 || !usable(v) || m.op.sets() { // users may set any field
		return
	}
	m.of = m.receiver
	for i, list := 0, m.cells[m.receiver].about().pool.contracts; i < len(list); i++ {
		c := &list[i]
		if c.when != kept || !c.has(v.value()) {
			continue
		}
		if wrong, _ := c.judge(v.value(), nil, nil); wrong == "" {
			m.valid = append(m.valid, c)
		}
	}
}

func say(x cell) (s said) {
	s.slot, s.size = x.about().slot, -1
	_ = guarded(func() string {
		switch v := x.value().(type) {
		case lener:
			s.size = v.Len()
		case sizer:
			s.size = v.Size()
		}
		s.text = text(x.value())
		return ""
	})
	return s
}

// noteClone notes what the call has made, if it clones.
func (m *machine) noteClone() {
	if t := m.touched; slices.Contains([]string{"Clone", "Copy"}, m.op.method) && len(t) == 2 && m.cells[t[0]].about().pool == m.cells[t[1]].about().pool && !m.cells[t[1]].isNil() {
		m.clones = append(m.clones, [2]int32{t[0], t[1]})
	}
}

// broken returns a violation if the call that has ended has changed what it must not.
func (m *machine) broken() *violation {
	m.watched.on = false
	if v := m.changedClone(); v != nil || m.receiver < 0 {
		return v
	}
	maySpoil := slices.ContainsFunc(spoilers, func(s string) bool { return strings.HasPrefix(m.op.method, s) })
	for _, c := range m.valid {
		if m.of != m.receiver || maySpoil {
			break
		}
		if wrong, code := c.judge(m.cells[m.receiver].value(), nil, nil); wrong != "" {
			if v := m.breach(c.name, wrong, with(code), m.receiver); v != nil {
				return v
			}
		}
	}
	return nil
}

// spoilers begin the names of methods that may make their receivers invalid: they end its use, or
// give it parts that the caller has chosen.
var spoilers = []string{"Cancel", "Clear", "Close", "Decode", "Destroy", "Free", "Invalidate", "Parse", "Read", "Release", "Reset", "Scan", "Set", "Shutdown", "Stop", "Unmarshal", "With"}

// changedClone returns a violation if the call of a value has changed a clone of it, or what it is
// cloned from. An argument may be another name of that.
func (m *machine) changedClone() *violation {
	for _, was := range m.said {
		x := m.cells[was.slot]
		if slices.ContainsFunc(m.touched, func(slot int32) bool {
			y := m.cells[slot]
			return slot == was.slot || x.about().pool == y.about().pool && x.about().pool.typ.Kind() == reflect.Pointer && x.value() == y.value()
		}) {
			continue
		}
		now := say(x)
		if now == was {
			continue
		}
		expr, want := ".String()", strconv.Quote(was.text)
		if now.text == was.text {
			if expr, want = ".Size()", strconv.Itoa(was.size); is[lener](x.value()) {
				expr = ".Len()"
			}
		}
		code := func(names []string) string { return sameCode(names[0]+expr, want) }
		if v := m.breach("Clone is independent", "a call of the other changes it", code, was.slot); v != nil {
			return v
		}
	}
	return nil
}
