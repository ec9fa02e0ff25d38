package targets

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/examples/plain"
	"github.com/espalier-go/espalier/examples/planted"
)

// texts are the targets on texts, by bug.
var texts = map[string]func(*testing.F){
	"ladder":       text(plain.PlanSeeds, plain.ParsePlan, planted.CheckPlan),
	"const-int":    text(plain.ScriptSeeds, plain.ParseScript, planted.CheckScript),
	"const-string": text(plain.ScriptSeeds, plain.ParseScript, planted.CheckScript),
}

func text[V any](seeds []string, parse func(string) (V, bool), prop func(testing.TB, V)) func(*testing.F) {
	return func(f *testing.F) {
		var n Tally
		n.Open()
		for _, s := range seeds {
			f.Add(s)
		}
		f.Fuzz(func(t *testing.T, s string) {
			if v, ok := parse(s); ok {
				prop(n.Count(t), v)
			}
		})
	}
}

// namedText returns the target on texts for the bug that the environment names.
func namedText(t testing.TB) func(*testing.F) {
	name := os.Getenv(HuntEnv)
	if name == "" {
		t.Skipf("%s names no target", HuntEnv)
	}
	if texts[name] == nil {
		t.Fatalf("%s=%q names no target on texts", HuntEnv, name)
	}
	return texts[name]
}
