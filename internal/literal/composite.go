package literal

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// typePrefix returns what precedes the braces of a composite literal of type t.
func (p *printer) typePrefix(t reflect.Type, pl place) string {
	if pl == element {
		return ""
	}
	return p.types.name(t)
}

// composite returns a composite literal of type t. What the iterator yields is
// printed as one item of it while the iterator runs.
func (p *printer) composite(prefix string, t reflect.Type, pl place, items iter.Seq[item]) *node {
	// Besides the braces, the budget must cover the line of the closing brace and a
	// line that says that there is more.
	lines := 2*(p.indent+len(",\n")) + 1 + len("nil /* "+restText+" */")
	if !p.charge(len(prefix) + len("{}") + lines) {
		return p.rest(t, pl)
	}
	n := &node{open: prefix + "{", close: "}"}
	p.indent++
	defer func() { p.indent-- }()
	for it := range items {
		n.items = append(n.items, it)
		if it.value.rest {
			break
		}
	}
	return n
}

// item returns the item of a composite literal that has the given value and a key of n bytes.
// step leads to it.
func (p *printer) item(key *node, n int, step func() string, v reflect.Value, pl place) item {
	note, name := "", ""
	if p.marks != nil {
		around := p.at
		p.at = append(around[:len(around):len(around)], step())
		defer func() { p.at = around }()
		note, name = p.marks[p.at.String()], strings.TrimPrefix(p.at[len(around)], ".")
	}
	if !p.charge(p.indent + n + len(": ,\n") + len(note)) {
		return item{key: key, value: p.rest(v.Type(), pl)}
	}
	return item{key: key, value: p.value(v, pl), note: note, name: name}
}

// structure returns the struct v, or a pointer to it. In either case, the expression
// is a composite literal with the given prefix and has type t. The unexported fields of protobuf
// messages are caches.
func (p *printer) structure(v reflect.Value, prefix string, t reflect.Type, pl place) *node {
	isMessage := IsMessage(v.Type())
	return p.composite(prefix, t, pl, func(yield func(item) bool) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			step := func() string { return "." + f.Name }
			if f.Name == "_" || isMessage && !f.IsExported() ||
				isZero(v.Field(i)) &&
					!(p.marks != nil && p.hasMarks(append(p.at[:len(p.at):len(p.at)], step()))) {
				continue
			}
			if !f.IsExported() && f.PkgPath != p.types.pkg {
				p.partial = true
			}
			if !yield(p.item(&node{open: f.Name}, len(f.Name), step, v.Field(i), field)) {
				return
			}
		}
	})
}

func (p *printer) array(v reflect.Value, pl place) *node {
	return p.composite(p.typePrefix(v.Type(), pl), v.Type(), pl, func(yield func(item) bool) {
		if !isZero(v) || p.marks != nil && p.hasMarks(p.at) {
			p.elements(v, yield)
		}
	})
}

func (p *printer) slice(v reflect.Value, pl place) *node {
	t := v.Type()
	if v.IsNil() {
		return p.null(t, pl)
	}
	if t.Elem().Kind() == reflect.Uint8 {
		if v.Len() > p.budget {
			p.full = true
			return p.rest(t, pl)
		}
		s := strconv.Quote(string(v.Bytes()))
		return p.text(p.types.conversion(t)+"("+s+")", t, pl)
	}
	return p.nested(v, pl, func() *node {
		return p.composite(p.typePrefix(t, pl), t, pl, func(yield func(item) bool) {
			p.elements(v, yield)
		})
	})
}

func (p *printer) elements(v reflect.Value, yield func(item) bool) {
	for i := range v.Len() {
		if !yield(p.item(nil, 0, func() string { return index(reflect.ValueOf(i)) }, v.Index(i),
			element)) {
			return
		}
	}
}

func (p *printer) mapping(v reflect.Value, pl place) *node {
	t := v.Type()
	if v.IsNil() {
		return p.null(t, pl)
	}
	return p.nested(v, pl, func() *node {
		return p.composite(p.typePrefix(t, pl), t, pl, func(yield func(item) bool) {
			for _, e := range p.entries(v) {
				it := item{value: p.value(e.key, element)}
				if !it.value.rest {
					it = p.item(it.value, 0, func() string { return index(e.key) }, e.value, element)
				}
				if !yield(it) {
					return
				}
			}
		})
	})
}

// An entry is a key of a map with its value.
type entry struct {
	key, value reflect.Value
	text       string // what to sort by
}

// entries returns the entries of the map m, sorted by key. Keys without a natural
// order are sorted by their text. Entries whose keys have the same text, such as NaNs or
// pointers to equal values, are sorted by the text of their values.
func (p *printer) entries(m reflect.Value) []entry {
	// An order is looked up rather than found again, because finding it prints
	// keys, which can in turn share maps.
	if es, ok := p.orders[m.Pointer()]; ok {
		return es
	}
	es := make([]entry, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		es = append(es, entry{key: it.Key(), value: it.Value()})
	}
	compare := naturalOrder(m.Type().Key().Kind())
	if compare == nil {
		compare = compareText
		for i := range es {
			es[i].text = p.sortText(es[i].key)
		}
	}
	slices.SortFunc(es, compare)
	for i := 0; i < len(es); {
		j := i + 1
		for j < len(es) && compare(es[i], es[j]) == 0 {
			j++
		}
		if j-i > 1 {
			for k := i; k < j; k++ {
				es[k].text = p.sortText(es[k].value)
			}
			slices.SortFunc(es[i:j], compareText)
		}
		i = j
	}
	p.orders[m.Pointer()] = es
	return es
}

// sortText returns v as an expression, independently of what has been printed.
func (p *printer) sortText(v reflect.Value) string {
	q := *p
	q.budget, q.full, q.marks = maxSize, false, nil
	return q.value(v, element).flat()
}

func compareText(a, b entry) int { return cmp.Compare(a.text, b.text) }

// naturalOrder returns the order of keys of kind k, or nil if they have none.
func naturalOrder(k reflect.Kind) func(a, b entry) int {
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(a, b entry) int { return cmp.Compare(a.key.Int(), b.key.Int()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return func(a, b entry) int { return cmp.Compare(a.key.Uint(), b.key.Uint()) }
	case reflect.Float32, reflect.Float64:
		return func(a, b entry) int { return cmp.Compare(a.key.Float(), b.key.Float()) }
	case reflect.String:
		return func(a, b entry) int { return cmp.Compare(a.key.String(), b.key.String()) }
	}
	return nil
}
