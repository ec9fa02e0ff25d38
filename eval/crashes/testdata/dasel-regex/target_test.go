package selector_test

import (
	"testing"

	"github.com/tomwright/dasel/v3/selector"
)

func FuzzParse(f *testing.F) {
	f.Add(`users.filter(name == "Tom" && age > 30).map(name)`)
	f.Add(`if(a == 1) { items[0:2] } else { branch(b, c.d) }`)
	f.Fuzz(func(t *testing.T, s string) {
		selector.Parse(s)
	})
}
