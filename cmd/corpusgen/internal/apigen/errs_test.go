package apigen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Which functions return errors as values, and with what operations these are shown.
func TestErrorValue(t *testing.T) {
	for _, c := range []struct{ declarations, values, shown string }{
		{"func Append(left, right error) error { return nil }", "p.Append", "err.Error"},
		{"func Combine(all ...error) error { return nil }", "p.Combine", "err.Error"},
		{"func Into(err *error) error { return nil }", "*errValue p.Into", "err.Error"},
		{"type E struct{}\nfunc (*E) Error() string { return \"\" }\nfunc (*E) Unwrap() error { return nil }", "e.Unwrap", "err.Error"},
		{"type e struct{}\nfunc (e) Format(fmt.State, rune) {}\nfunc Wrap(err error) error { return nil }", "p.Wrap", `err.Error fmt.Sprintf("%+v", err)`},
		{"func Check(text string) error { return nil }\nfunc Use(err error) {}", "", ""},
		{"func Read(err error) (int, error) { return 0, nil }", "", ""},
		{"type T struct{}\nfunc (*T) Errorf(text string) error { return nil }\nfunc Use(err error) {}", "", ""},
	} {
		e := newEnum(packageOf(t, `import "fmt"`, c.declarations+"\nvar _ fmt.State"), Options{})
		var values, shown []string
		for _, o := range e.ops {
			switch {
			case o.recv != nil && isError(o.recv.typ):
				shown = append(shown, o.name)
			case len(o.results) == 1 && isError(o.results[0].typ) && o.results[0].kind != nil && !strings.Contains(o.name, " with "):
				values = append(values, o.name)
			}
		}
		require.Equal(t, c.values, strings.Join(values, " "), c.declarations)
		require.Equal(t, c.shown, strings.Join(shown, " "), c.declarations)
	}
}
