package plain

import (
	"testing"

	"github.com/espalier-go/espalier/examples/planted"
)

func FuzzPlanBytes(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { planted.CheckPlan(t, DecodePlan(b)) })
}

func FuzzPlanString(f *testing.F) {
	for _, s := range PlanSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, ok := ParsePlan(s); ok {
			planted.CheckPlan(t, p)
		}
	})
}

func FuzzScriptBytes(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if script, ok := DecodeScript(b); ok {
			planted.CheckScript(t, script)
		}
	})
}

func FuzzScriptString(f *testing.F) {
	for _, s := range ScriptSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if script, ok := ParseScript(s); ok {
			planted.CheckScript(t, script)
		}
	})
}
