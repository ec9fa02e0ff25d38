package api

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"
)

// givenBytes are the bytes that a call is given, see [given].
type givenBytes struct{ anyCall }

// broken returns a violation if the call has changed bytes that it was given, or keeps them, as
// another method of the receiver shows. Only literals count: what calls have returned may belong
// to the receiver.
func (givenBytes) broken(m *machine) *violation {
	if m.receiver < 0 || !m.op.takesBytes() {
		return nil
	}
	method := m.op.method
	for i := range m.given {
		g := &m.given[i]
		b, _ := g.value.value().([]byte)
		if len(b) == 0 || g.value.number() >= 0 {
			continue
		}
		v := &violation{slots: []int32{m.receiver}, as: "data", call: len(m.trace) - 1, arg: g.at}
		if slices.Contains(readers, method) && !bytes.Equal(b, g.was) {
			v.contract, v.wrong = method+" does not change the bytes", fmt.Sprintf("%q becomes %q", g.was, b)
			v.code = fmt.Sprintf("if string(data) != %s {\n\tt.Errorf(\"the bytes become %%%%q\", data)\n}", strings.ReplaceAll(strconv.Quote(string(g.was)), "%", "%%"))
			return v
		}
		if !slices.Contains(copiers, method) {
			continue
		}
		for _, o := range observers {
			if o.changes(m.cells[m.receiver].value(), b) {
				v.contract, v.wrong = method+" does not keep the bytes", o.name+" changes with them"
				v.code = "before := " + o.code + "\nfor i := range data {\n\tdata[i] ^= 1\n}\nif after := " + o.code + "; after != before {\n\tt.Errorf(\"it changes with the bytes: %%q, then %%q\", before, after)\n}"
				return v
			}
		}
	}
	return nil
}

// observers are methods by which a value shows what it has kept.
var observers = []observer{
	observedBy("String", "%[1]s.String()", func(x fmt.Stringer) string { return x.String() }),
	observedBy("Bytes", "string(%[1]s.Bytes())", func(x interface{ Bytes() []byte }) string { return string(x.Bytes()) }),
	observedBy("MarshalBinary", "fmt.Sprint(%[1]s.MarshalBinary())", func(x encoding.BinaryMarshaler) string { return fmt.Sprint(x.MarshalBinary()) }),
	observedBy("MarshalText", "fmt.Sprint(%[1]s.MarshalText())", func(x encoding.TextMarshaler) string { return fmt.Sprint(x.MarshalText()) }),
	observedBy("MarshalJSON", "fmt.Sprint(%[1]s.MarshalJSON())", func(x json.Marshaler) string { return fmt.Sprint(x.MarshalJSON()) }),
}

// An observer is a method that returns what a value holds.
type observer struct {
	name, code string
	of         func(v any) string
}

func observedBy[I any](name, code string, of func(x I) string) observer {
	return observer{name, code, func(v any) string {
		if x, ok := v.(I); ok {
			return of(x)
		}
		return ""
	}}
}

// changes reports whether what a value shows changes with bytes. It restores them.
func (o *observer) changes(v any, b []byte) bool {
	see := func() string { return guarded(func() string { return o.of(v) }) }
	before := see()
	if before == "" || before != see() {
		return false
	}
	flip := func() {
		for i := range b {
			b[i] ^= 1
		}
	}
	flip()
	after := see()
	flip()
	return after != before
}
