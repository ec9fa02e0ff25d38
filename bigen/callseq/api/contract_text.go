package api

import (
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// textContracts say that a value can be written, twice the same.
func textContracts[T any]() []contract[T] {
	return []contract[T]{
		of[fmt.Stringer, T]("String", func(x fmt.Stringer) string { return stable(x.String) }, twice("String")),
		of[error, T]("Error", func(x error) string { return stable(x.Error) }, twice("Error")),
		of[fmt.GoStringer, T]("GoString", func(x fmt.GoStringer) string { return stable(x.GoString) }, twice("GoString")),
		of[fmt.Formatter, T]("Format", func(x fmt.Formatter) string {
			if s := fmt.Sprint(x); strings.Contains(s, "(PANIC=") {
				return gocode.Shorten(s)
			}
			return stable(func() string { return fmt.Sprint(x) })
		}, `if s := fmt.Sprint(%[1]s); s != fmt.Sprint(%[1]s) || strings.Contains(s, "(PANIC=") {
	t.Error(s)
}`),
	}
}

func stable(f func() string) string {
	if a, b := f(), f(); a != b {
		return fmt.Sprintf("it is %q first, then %q", gocode.Shorten(a), gocode.Shorten(b))
	}
	return ""
}

// twice is code that calls a method twice, which must return the same.
func twice(method string) string {
	return `if a, b := %[1]s.` + method + `(), %[1]s.` + method + `(); a != b {
	t.Errorf("` + method + ` is %%q first, then %%q", a, b)
}`
}
