package apigen

import (
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Property is a test that the names and types of an API suggest.
type Property struct {
	Name  string   // of the test
	About string   // what must hold, as its comment
	Calls []string // the functions and methods that it is about
	Code  string   // of the test function's body
}

// Properties are the tests that the API of a package suggests, and what generates their values.
type Properties struct {
	All []Property

	e     *enum
	file  *Harness // which prints and checks files
	api   []*callable
	acts  map[string]string // of functions and methods, by their names
	gens  map[string]string // declarations of package variables, by their names
	named map[string]string // these names, by the types that they generate
	names namer             // of tests and package variables
	texts map[string][]string
}

// Suggest finds the properties of a package. Tests whose names are taken get others.
func Suggest(pkg *Package, taken []string) (*Properties, error) {
	p := suggest(pkg, taken)
	return p, p.prune()
}

// suggest finds properties, also those that do not compile.
func suggest(pkg *Package, taken []string) *Properties {
	e := &enum{silent: true,
		pkg: pkg, context: types.NewContext(),
		types: map[string]bool{}, instances: map[types.Object]int{}, helped: map[string]bool{},
		deep: true,
	}
	e.imports = newImports(e)
	p := &Properties{
		e: e, file: &Harness{pkg: pkg, names: e.imports.names},
		gens: map[string]string{}, named: map[string]string{},
	}
	for _, name := range taken {
		p.names.local(name)
	}
	for _, name := range e.imports.names {
		p.names.local(name)
	}
	p.readActs()
	p.readTests()
	p.calls()
	for _, find := range []func(){p.roundTrips, p.agreements, p.idempotence, p.orders, p.noPanics} {
		find()
	}
	return p
}

// prune drops the properties that do not compile.
func (p *Properties) prune() error {
	write := func() (string, error) { return p.code(""), nil }
	_, err := p.file.compiled(write, function, func(name, why string) {
		p.Drop(name, "its property does not compile: "+why)
	})
	return err
}

// Drop removes a property, and says why its functions have none.
func (p *Properties) Drop(test, why string) {
	p.All = slices.DeleteFunc(p.All, func(q Property) bool {
		if q.Name == test {
			for _, name := range q.Calls {
				p.e.leave(name, "%s", why)
			}
		}
		return q.Name == test
	})
}

// assumption is a line that discards a value for which a call fails.
var assumption = regexp.MustCompile(`t\.Assume\((err == nil|ok)\)`)

// Weakened is in the code of a property that is weak.
const Weakened = "// TODO: nearly all values end here. Give a generator of valid ones, and use " +
	"t.Assume."

// Weaken makes a property pass on values that it would discard, as nearly all are. It reports
// whether that changes it.
func (q *Property) Weaken() bool {
	old := q.Code
	q.Code = assumption.ReplaceAllStringFunc(q.Code, func(line string) string {
		condition := "err != nil"
		if strings.HasSuffix(line, "(ok)") {
			condition = "!ok"
		}
		return "if " + condition + " {\nreturn " + Weakened + "\n}"
	})
	return q.Code != old
}

// Text returns the Go file of the properties below a head, which are comments.
func (p *Properties) Text(head string) ([]byte, error) { return p.file.file(p.code(head), nil) }

// code is Text without imports.
func (p *Properties) code(head string) string {
	var tests, all string
	for _, q := range p.All {
		tests += "\n" + asComment(q.About) + "func " + q.Name + "(t *testing.T) {\n" + q.Code + "\n}\n"
	}
	decls := map[string]string{} // those that the tests need, or what they need
	for n := -1; n < len(decls); {
		n, all = len(decls), ""
		for _, name := range slices.Sorted(maps.Keys(p.gens)) {
			if strings.Contains(tests+strings.Join(slices.Collect(maps.Values(decls)), ""), name) {
				decls[name] = p.gens[name]
				all += "\n" + decls[name] + "\n"
			}
		}
	}
	return head + "package " + p.e.pkg.Name + "_test\n\nimport ()\n" + all + tests
}

// add adds a property for a scene, unless it has no values to vary.
func (p *Properties) add(s *scene, name, about, body string, calls ...*callable) {
	if s == nil || len(s.fields) == 0 {
		return
	}
	q := Property{Name: p.names.local("Test" + name), About: about}
	for _, c := range calls {
		c.used = true
		q.Calls = append(q.Calls, c.name)
	}
	q.Code = s.check(body, calls)
	p.All = append(p.All, q)
}

// Left returns the exported functions and methods without a property, in the order of their names.
func (p *Properties) Left() []Left {
	left := slices.DeleteFunc(slices.Clone(p.e.left), func(l Left) bool {
		return slices.ContainsFunc(p.All, func(q Property) bool {
			return slices.Contains(q.Calls, l.Name)
		})
	})
	slices.SortStableFunc(left, func(a, b Left) int { return strings.Compare(a.Name, b.Name) })
	return left
}
