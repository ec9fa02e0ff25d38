package apigen

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A callable is an exported function, or a method of an exported type, with its receiver as the
// first parameter.
type callable struct {
	name    string // as in strconv.Quote, Version.String
	key     string // as name, without the package
	base    string // of the function or method alone
	code    string // what stands before the arguments, without the receiver
	method  bool
	params  []*types.Var
	results []types.Type // without the last one, if fails says what that is
	fails   string       // "err" for an error, "ok" for a bool that says whether results count, or ""
	spread  bool         // the last argument is a slice for a variadic parameter
	used    bool         // a property gives it any arguments
	doc     string
	acts    string // what it does outside of the process, as in os.Remove; "" for nothing
}

// calls lists the functions and methods of the package.
func (p *Properties) calls() {
	e := p.e
	for _, o := range e.objects() {
		switch o := o.(type) {
		case *types.Func:
			name := e.pkg.Name + "." + o.Name()
			if sig, args := e.signature(name, o); sig != nil {
				c := &callable{name: name, key: o.Name(), base: o.Name(), code: e.qualified(o) + args}
				p.call(c, o.Pos(), sig)
			}
		case *types.TypeName:
			named, ok := types.Unalias(o.Type()).(*types.Named)
			if !ok || !e.own(named) || types.IsInterface(named) || again(o, named) {
				continue
			}
			if named.TypeParams().Len() > 0 {
				inst, _ := e.instance(o.Name(), named, named.TypeParams())
				if named, ok = inst.(*types.Named); !ok {
					continue
				}
			}
			for m := range named.Methods() {
				if !m.Exported() {
					continue
				}
				name := o.Name() + "." + m.Name()
				c := &callable{name: name, key: name, base: m.Name(), code: m.Name(), method: true}
				c.params = []*types.Var{m.Signature().Recv()}
				p.call(c, m.Pos(), m.Signature())
			}
		}
	}
}

// again reports whether a name is another one of a type, whose own is exported.
func again(o *types.TypeName, named *types.Named) bool {
	return o.IsAlias() && named.Obj() != o && named.Obj().Exported() && named.TypeArgs().Len() == 0
}

// call adds a function or method.
func (p *Properties) call(c *callable, pos token.Pos, sig *types.Signature) {
	c.params = slices.AppendSeq(c.params, sig.Params().Variables())
	if c.spread = sig.Variadic(); c.spread {
		last := len(c.params) - 1
		if part := c.params[last].Type().Underlying().(*types.Slice).Elem(); !p.e.derivable(part, 0) ||
			isAny(part) { // options
			c.params, c.spread = c.params[:last], false
		}
	}
	for r := range sig.Results().Variables() {
		c.results = append(c.results, r.Type())
	}
	if last := len(c.results) - 1; last >= 0 {
		switch b, _ := c.results[last].(*types.Basic); {
		case isError(c.results[last]):
			c.fails, c.results = "err", c.results[:last]
		case last > 0 && b != nil && b.Kind() == types.Bool:
			c.fails, c.results = "ok", c.results[:last]
		}
	}
	name := c.base
	if c.method {
		name = "." + name
	}
	c.doc, c.acts = p.e.pkg.comment(pos), p.acts[name]
	p.api = append(p.api, c)
}

// text writes a call with arguments.
func (c *callable) text(args ...string) string {
	spread := ""
	if c.spread && len(args) == len(c.params) {
		spread = "..."
	}
	code := c.code
	if c.method {
		code, args = strings.TrimLeft(args[0], "&*")+"."+code, args[1:]
	}
	return code + "(" + strings.Join(args, ", ") + spread + ")"
}

// sets writes a call whose results go to variables, and what follows if it fails.
func (c *callable) sets(vars string, onFail string, args ...string) string {
	if c.fails == "" {
		onFail = ""
	} else {
		vars, onFail = strings.TrimPrefix(vars+", "+c.fails, ", "), onFail+"\n"
	}
	assign := " := "
	switch {
	case vars == "":
		assign = ""
	case strings.Trim(vars, "_, ") == "":
		assign = " = "
	}
	return vars + assign + c.text(args...) + "\n" + onFail
}

// assume discards values for which a call fails.
func (c *callable) assume() string {
	switch c.fails {
	case "err":
		return "t.Assume(err == nil)"
	case "ok":
		return "t.Assume(ok)"
	}
	return ""
}

// fatal fails the test if a call fails.
func (c *callable) fatal(what string) string {
	if c.fails == "ok" {
		return "if !ok {\nt.Fatalf(\"" + c.base + " refuses %#v\", " + what + ")\n}"
	}
	return "if err != nil {\nt.Fatalf(\"" + c.base + " refuses %#v: %v\", " + what + ", err)\n}"
}

// title is the name of the call in the name of a test.
func (c *callable) title() string { return Title(c.key) }

// panics matches the comment of a function that panics for some arguments.
var panics = regexp.MustCompile(`(?i)\bpanic(s|king)?\b`)

// mayPanic reports whether the comment of a call announces panics, or its name.
func (c *callable) mayPanic() bool {
	return strings.HasPrefix(c.base, "Must") || announces(panics, c.doc)
}

// readActs finds what functions and methods do outside of the process, also by others that they
// name.
func (p *Properties) readActs() {
	p.acts = map[string]string{}
	users := map[string][]string{}
	for _, f := range p.e.pkg.files {
		paths := p.e.pkg.importsOf(f)
		addUsers(users, f, func(user, of, name string) bool {
			if path := paths[of]; path != "" && actsOutside(path, name) && p.e.pkg.isFunc(path, name) {
				p.acts[user] = of + "." + name
			}
			return paths[of] != ""
		})
	}
	spread(p.acts, users)
}

// isFunc reports whether a name of another package is, or may be, a function: constants and types
// do nothing.
func (p *Package) isFunc(path, name string) bool {
	other := p.std(path)
	if other == nil || other.Scope().Lookup(name) == nil {
		return true
	}
	_, ok := other.Scope().Lookup(name).(*types.Func)
	return ok
}

var (
	outside = regexp.MustCompile(`^(os(/exec|/signal|/user)?|syscall|plugin|io/ioutil|` +
		`net/(http|smtp|rpc)|database/sql|log(/syslog|/slog)?|golang\.org/x/(sys|term)/?.*)$`)
	harmless = regexp.MustCompile(`^(Getenv|LookupEnv|Is\w+|Getpid|Getpagesize|Getwd|Errno|New\w*|Stat|` +
		`StatusText|CanonicalHeaderKey|DetectContentType|Parse\w+|Default|With\w*|Header)$`)
	connects = regexp.MustCompile(`^(Dial|Listen|Lookup|Interface|File)`)
)

// actsOutside reports whether a function of another package probably changes more than this
// process, or depends on more.
func actsOutside(path, name string) bool {
	switch path {
	case "net":
		return connects.MatchString(name)
	case "time":
		return name == "Sleep"
	case "testing":
		return true
	}
	return outside.MatchString(path) && !harmless.MatchString(name)
}

const (
	maxExamples   = 6
	maxExampleLen = 60
)

// readTests finds the texts that tests of the package give to its functions, by the names of these:
// the texts in functions that call them, and in the variables that such functions use.
func (p *Properties) readTests() {
	p.texts = map[string][]string{}
	vars := map[string][]string{}
	for _, f := range p.e.pkg.tests {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok {
				addTexts(vars, d)
			}
		}
	}
	for _, f := range p.e.pkg.tests {
		for _, d := range f.Decls {
			if _, ok := d.(*ast.FuncDecl); !ok {
				continue
			}
			found, named := textsIn(d)
			for name := range named {
				found = append(found, vars[name]...)
			}
			for name := range named {
				p.texts[name] = append(p.texts[name], found...)
			}
		}
	}
	for name, found := range p.texts {
		slices.Sort(found)
		p.texts[name] = slices.Compact(found)
	}
}

// addTexts adds the texts of variables by their names.
func addTexts(vars map[string][]string, d *ast.GenDecl) {
	for _, s := range d.Specs {
		if s, ok := s.(*ast.ValueSpec); ok {
			found, _ := textsIn(s)
			for _, id := range s.Names {
				vars[id.Name] = found
			}
		}
	}
}

// textsIn returns the strings and the identifiers in a part of the source.
func textsIn(root ast.Node) (texts []string, named map[string]bool) {
	named = map[string]bool{}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !tells(n)
		case *ast.Ident:
			named[n.Name] = true
		case *ast.BasicLit:
			s, err := strconv.Unquote(n.Value)
			isText := n.Kind == token.STRING && err == nil && s != "" && len(s) <= maxExampleLen
			if isText && !strings.Contains(s, "%") {
				texts = append(texts, s)
			}
		}
		return true
	})
	return texts, named
}

// examples returns texts that tests give to one of some calls, few of all of them.
func (p *Properties) examples(calls []*callable) (some []string) {
	for _, c := range calls {
		if found := p.texts[c.base]; len(found) > 0 {
			for i := range min(maxExamples, len(found)) {
				some = append(some, found[i*len(found)/min(maxExamples, len(found))])
			}
			break
		}
	}
	return some
}
