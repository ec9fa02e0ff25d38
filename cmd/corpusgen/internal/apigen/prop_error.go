package apigen

import (
	"go/parser"
	"regexp"
	"strings"
)

// assumption matches what discards a value in a property.
var assumption = regexp.MustCompile(`t\.Assume\((.*)\)`)

// Plain returns the body of a property as a plain test of one value, a Go expression, or the calls
// of a sequence; "" if it is neither.
func (q *Property) Plain(value, calls string) string {
	if q.scene == nil || q.scene.typ == "" {
		return calls
	}
	if _, err := parser.ParseExpr(value); err != nil {
		return ""
	}
	s := q.scene
	code := s.before + "var " + s.in + " " + s.typ + " = " + value + "\n" + s.checked.body
	if strings.HasPrefix(value, s.typ) || strings.HasPrefix(value, "&") || s.typ == "string" {
		code = s.before + s.in + " := " + value + "\n" + s.checked.body
	}
	return assumption.ReplaceAllStringFunc(code, func(line string) string {
		switch condition := assumption.FindStringSubmatch(line)[1]; condition {
		case "err == nil":
			return "if err != nil {\nt.Fatal(err)\n}"
		default:
			return "if !(" + condition + ") {\nt.Fatal(\"the value is not valid\")\n}"
		}
	})
}

// Errors returns a Go file with tests below a head, which are comments; nil if there are none. In
// place of a test that does not compile, it has the property, by the name of the test. The file
// stands beside the file of the properties.
func (p *Properties) Errors(head string, tests []Func, of map[string]*Property) ([]byte, error) {
	whole, left := map[string]bool{}, map[string]bool{}
	for _, f := range tests {
		whole[f.Name] = f.Code == ""
	}
	beside := p.code("")
	_, has := p.needs(beside, nil)
	return p.file.compiled(func() (string, error) {
		code := ""
		for _, f := range tests {
			if left[f.Name] {
				continue
			}
			after := ""
			if q := of[f.Name]; whole[f.Name] {
				f.Code, after = q.Code, q.After
			}
			code += "\n" + asComment(f.Comment) +
				"func " + f.Name + "(t *testing.T) {\n" + f.Code + "\n}\n" + after
		}
		if code == "" {
			return "", nil
		}
		decls, _ := p.needs(code, has)
		code = head + "package " + p.e.pkg.Name + "_test\n\nimport ()\n" + decls + code
		return quotedTag.ReplaceAllString(code, "`bigen:\"$1\"`"), nil
	}, function, func(name, _ string) {
		left[name], whole[name] = whole[name], true
	}, p.besides(beside))
}

// besides returns a file, for the names that it declares.
func (p *Properties) besides(code string) string {
	text, err := p.file.file(code, nil)
	if err != nil || len(p.All) == 0 {
		return ""
	}
	return string(text)
}

// Refuses reports whether one of the calls can refuse arguments, by an error.
func (q *Property) Refuses() bool {
	for _, c := range q.calls {
		if c.fails == "err" {
			return true
		}
	}
	return false
}

// Keys are the names of the calls as mistakes have them: of a function, or of a type and a method.
func (q *Property) Keys() (keys []string) {
	for _, c := range q.calls {
		keys = append(keys, c.key)
	}
	return keys
}

// Sequence reports whether the values of the property are sequences of calls.
func (q *Property) Sequence() bool { return q.law == "Calls" }

// Guess reports whether nobody need know if the property is wrong.
func (q *Property) Guess() bool { return q.Weak || q.unsure }
