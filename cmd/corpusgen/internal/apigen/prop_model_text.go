package apigen

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// A model is what a collection is compared with.
type model struct {
	want      string // declares it
	ops       []modelOp
	invariant string
}

// A modelOp is an operation of a model.
type modelOp struct {
	name string
	draw string // its arguments
	do   string // what it does, within Do
	when string
}

// write adds a property: sequences of calls of the collection, beside something that is like it.
func (k *collection) write(like string, m model) {
	s := k.p.scene()
	s.unfilled = true
	name, _ := wordsOf(k.named)
	local := s.constructed(k.named, true, name)
	if local == "" || len(s.fields) > 1 || len(s.setup) != 1 || s.setup[0].assume != "" {
		return
	}
	x := strings.TrimLeft(local, "&*")
	var b strings.Builder
	title := k.named.Obj().Name()
	variable := lowerFirst(title) + "Calls"
	made := s.setup[0].code
	if init, ok := strings.CutPrefix(made, x+" := "); ok {
		if len(s.fields) == 1 {
			f := s.fields[0]
			f.of = nil
			fmt.Fprintf(&b, "size := callseq.Arg(c, %q, %s)\n", f.name, s.generator(f))
			init = strings.ReplaceAll(init, use(0), "size")
		}
		t := s.calls[0].results[0]
		fmt.Fprintf(&b, "var %s %s\n", x, k.p.e.typeName(t))
		fmt.Fprintf(&b, "c.Do(func() { %s = %s })\n", x, init)
		made = x + " := " + init
		if len(s.fields) == 0 {
			fmt.Fprintf(&b, "c.Code(%q)\n", made)
		}
	} else {
		b.WriteString(made + "\nc.Code(\"" + made + "\")\n")
	}
	b.WriteString(m.want + "\n")
	for _, o := range m.ops {
		fmt.Fprintf(&b, "\nc.Op(\"%s.%s\", func() {\n%s%s})%s\n", x, o.name,
			strings.ReplaceAll(o.draw, "$", x), strings.ReplaceAll(o.do, "$", x), o.when)
	}
	if m.invariant != "" {
		b.WriteString("c.Invariant(func() {\n" + strings.ReplaceAll(m.invariant, "$", x) + "})\n")
	}
	q := &Property{
		Name:  k.p.names.local("Test" + title + "Calls"),
		About: title + " behaves like " + like + ": see " + variable + ".",
		Code:  "fuzzext.Sequence(t, " + variable + ")", Group: "model of " + title, law: "Calls",
		unsure: strings.Contains(like, "queue") || like == "a stack",
		After: fmt.Sprintf("\n// %s are calls of %s, and what %s does then.\n"+
			"var %[1]s = callseq.New(func(c *callseq.C) {\n%[4]s})\n",
			variable, article(title), like, b.String()),
	}
	// Until one of several guesses is left, each has a variable of its own.
	q.plain = [2]string{"Test" + title + "Calls", variable}
	q.rename(variable, variable+strings.TrimPrefix(q.Name, q.plain[0]))
	for _, c := range k.roles {
		q.calls = append(q.calls, c)
		q.Calls = append(q.Calls, c.name)
	}
	slices.Sort(q.Calls)
	k.p.All = append(k.p.All, q)
}

func article(name string) string {
	if strings.ContainsRune("AEIOU", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// arg draws an argument.
func (k *collection) arg(name string, t types.Type) string {
	gen, least := "", 0
	if isAny(t) {
		t = types.Typ[types.String]
	}
	if name == "key" {
		least = k.least
	}
	switch tag := fewTag(t); {
	case strings.HasPrefix(tag, "match="):
		gen = fmt.Sprintf("bigen.Matching(\"[ab]{%d,3}\")", least)
		if !isPlainString(t) {
			gen = fmt.Sprintf("bigen.As[%s](%s)", k.p.e.typeName(t), gen)
		}
	case tag != "" && types.Identical(t, types.Typ[types.Int]):
		gen = fmt.Sprintf("bigen.IntRange(%d, 9)", least)
	case tag != "":
		gen = fmt.Sprintf("bigen.IntRange[%s](%d, 9)", k.p.e.typeName(t), least)
	default:
		gen = "bigen.For[" + k.p.e.typeName(t) + "]()"
	}
	return fmt.Sprintf("%s := callseq.Arg(c, %q, %s)\n", name, name, gen)
}

// asMap returns the operations of a map or set.
func (k *collection) asMap() (m model) {
	value, key := "bool", k.arg("key", k.key)
	if k.value != nil {
		value = k.p.e.typeName(k.value)
	}
	m.want = fmt.Sprintf("want := map[%s]%s{}", k.p.e.typeName(k.key), value)
	for _, r := range []role{adding, getting, holding, removing, clearing} {
		c := k.roles[r]
		if c == nil {
			continue
		}
		o := modelOp{name: c.base, draw: key}
		call := func(args string) string { return "$." + c.base + "(" + args + ")" }
		switch r {
		case adding:
			if k.value == nil {
				o.draw += "want[key] = true\n"
				o.do = "c.Do(func() { " + call("key") + " })\n"
				break
			}
			o.draw += k.arg("value", k.value) + "want[key] = value\n"
			o.do = "c.Do(func() { " + call("key, value") + " })\n"
		case getting:
			switch c.fails {
			case "":
				o.draw += "c.Want(want[key])\n"
				o.do = "c.Do(func() { c.Got(" + call("key") + ") })\n"
			case "ok":
				o.draw += "value, ok := want[key]\nc.Want(value, ok)\n"
				o.do = "c.Do(func() { c.Got(" + call("key") + ") })\n"
			default:
				o.draw += "value, ok := want[key]\n"
				o.do = "c.Do(func() {\ngot, err := " + call("key") + "\n" +
					"if got != value || (err == nil) != ok {\n" +
					"c.Errorf(\"got %v, %v; want %v, %v\", got, err, value, ok)\n}\n})\n"
			}
		case holding:
			if k.value == nil {
				o.draw += "c.Want(want[key])\n"
			} else {
				o.draw += "_, ok := want[key]\nc.Want(ok)\n"
			}
			o.do = "c.Do(func() { c.Got(" + call("key") + ") })\n"
			if c.fails == "ok" {
				o.do = "c.Do(func() {\n_, ok := " + call("key") + "\nc.Got(ok)\n})\n"
			}
		case removing:
			o.draw += "delete(want, key)\n"
			o.do = "c.Do(func() { " + call("key") + " })\n"
		case clearing:
			o.draw = "clear(want)\n"
			o.do = "c.Do(func() { " + call("") + " })\n"
		}
		m.ops = append(m.ops, o)
	}
	m.invariant = k.counted()
	return m
}

// asList returns the operations of a stack or a queue.
func (k *collection) asList(like string) (m model) {
	t := k.p.e.typeName(k.key)
	m.want = "var want []" + t
	add, pop, peek := k.roles[adding], k.roles[popping], k.roles[peeking]
	keep := ""
	if like == "a sorted queue" {
		keep = "slices.Sort(want)\n"
	}
	m.ops = append(m.ops, modelOp{name: add.base,
		draw: k.arg("value", k.key) + "want = append(want, value)\n" + keep,
		do:   "c.Do(func() { $." + add.base + "(value) })\n"})
	end, left := "want[0]", "want[1:]"
	if like == "a stack" {
		end, left = "want[len(want)-1]", "want[:len(want)-1]"
		if last := k.roles[peekingLast]; last != nil { // the other one may see the far end
			peek = last
		}
	}
	taken := func(c *callable, removes string) modelOp {
		o := modelOp{name: c.base, when: ".When(func() bool { return len(want) > 0 })"}
		rest := map[string]string{"": "", "ok": ", true", "err": ", nil"}[c.fails]
		o.draw = "c.Want(" + end + rest + ")\n" + removes
		if c.fails == "err" {
			o.draw = "c.Want(" + end + ", error(nil))\n" + removes
		}
		o.do = "c.Do(func() { c.Got($." + c.base + "()) })\n"
		return o
	}
	m.ops = append(m.ops, taken(pop, "want = "+left+"\n"))
	if peek != nil {
		m.ops = append(m.ops, taken(peek, ""))
	}
	m.invariant = k.counted()
	return m
}

// counted returns the statements that compare the number of elements with those of the model.
func (k *collection) counted() string {
	c := k.roles[counting]
	if c == nil {
		return ""
	}
	return fmt.Sprintf("if n := $.%s(); n != len(want) {\n"+
		"c.Errorf(\"%[1]s is %%d, want %%d\", n, len(want))\n}\n", c.base)
}
