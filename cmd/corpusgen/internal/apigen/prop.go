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
	After string   // declarations that follow the function
	Weak  bool     // the types alone suggest it
	Rest  bool     // it says no more than that its calls do not panic
	Group string   // of several guesses about one thing, the first that holds stays; "" for alone

	unsure bool      // it may well be wrong
	law    string    // that it is of
	plain  [2]string // the name that it gets once it is the only guess, and its variable
	calls  []*callable
	scene  *scene
	body   string // of the property, without what the scene makes
}

// Properties are the tests that the API of a package suggests, and what generates their values.
type Properties struct {
	All []*Property

	e     *enum
	file  *Harness // which prints and checks files
	api   []*callable
	acts  map[string]string // of functions and methods, by their names
	gens  map[string]string // declarations of package variables, by their names
	named map[string]string // these names, by the types that they generate
	names namer             // of tests and package variables
	texts map[string][]string
	rest  []*Property // what Rest makes one property of
	last  string      // its name
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
	for _, find := range []func(){p.models, p.roundTrips, p.agreements, p.laws, p.noPanics} {
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

// Drop removes a property, and says why its functions have none, unless that says nothing of them.
func (p *Properties) Drop(test, why string) {
	p.All = slices.DeleteFunc(p.All, func(q *Property) bool {
		if q.Name == test && why != "" {
			for _, name := range q.Calls {
				p.e.leave(name, "%s", why)
			}
		}
		return q.Name == test
	})
}

// Text returns the Go file of the properties below a head, which are comments.
func (p *Properties) Text(head string) ([]byte, error) { return p.file.file(p.code(head), nil) }

// code is Text without imports.
func (p *Properties) code(head string) string {
	var tests string
	for _, q := range p.All {
		tests += "\n" + asComment(q.About) + "func " + q.Name + "(t *testing.T) {\n" + q.Code + "\n}\n" +
			q.After
	}
	decls, _ := p.needs(tests, nil)
	code := head + "package " + p.e.pkg.Name + "_test\n\nimport ()\n" + decls + tests
	return quotedTag.ReplaceAllString(code, "`bigen:\"$1\"`")
}

// needs returns the declarations that tests need, and their names, but for those that there are.
func (p *Properties) needs(tests string, but map[string]bool) (all string, names map[string]bool) {
	names = map[string]bool{}
	for n := -1; n < len(names); { // as long as declarations need others
		n, tests = len(names), tests+all
		all = ""
		for _, name := range slices.Sorted(maps.Keys(p.gens)) {
			if !but[name] && regexp.MustCompile(`\b`+name+`\b`).MatchString(tests) {
				names[name] = true
				all += "\n" + p.gens[name] + "\n"
			}
		}
	}
	return all, names
}

// quotedTag matches the tag of bigen as package types writes it.
var quotedTag = regexp.MustCompile(`"bigen:\\"([^"\\]*)\\""`)

// add adds a property for a scene, unless it has no values to vary. It reports whether it does.
func (p *Properties) add(s *scene, q *Property, calls ...*callable) bool {
	if s == nil || len(s.fields) == 0 {
		return false
	}
	q.Name, q.scene, q.calls = p.names.local("Test"+q.Name), s, calls
	for _, c := range calls {
		c.used = c.used || !q.Weak && !q.Rest
		q.Calls = append(q.Calls, c.name)
	}
	q.Code = s.check(q.body, calls)
	p.All = append(p.All, q)
	return true
}

// rename renames the variable that follows a property.
func (q *Property) rename(from, to string) {
	for _, text := range []*string{&q.About, &q.Code, &q.After} {
		*text = regexp.MustCompile(`\b`+from+`\b`).ReplaceAllLiteralString(*text, to)
	}
}

// Settle gives the guess that is left of several the name that all of them would have.
func (q *Property) Settle() {
	if name, variable := q.plain[0], q.plain[1]; name != "" {
		q.rename(variable+strings.TrimPrefix(q.Name, name), variable)
		q.Name = name
	}
}

// Left returns the exported functions and methods without a property, in the order of their names.
func (p *Properties) Left() []Left {
	left := slices.DeleteFunc(slices.Clone(p.e.left), func(l Left) bool {
		return slices.ContainsFunc(p.All, func(q *Property) bool {
			return slices.Contains(q.Calls, l.Name)
		})
	})
	slices.SortStableFunc(left, func(a, b Left) int { return strings.Compare(a.Name, b.Name) })
	return left
}
