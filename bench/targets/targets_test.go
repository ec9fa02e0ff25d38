package targets

import "testing"

func FuzzValid(f *testing.F)    { named(f).valid(f) }
func FuzzMakeFuzz(f *testing.F) { named(f).makeFuzz(f) }
func FuzzRaw(f *testing.F)      { named(f).raw(f) }

func TestCheck(t *testing.T)    { named(t).check(t) }
func TestRapid(t *testing.T)    { named(t).rapid(t) }
func TestRapidOwn(t *testing.T) { named(t).rapidOwn(t) }

func TestSame(t *testing.T) {
	for name, target := range targets {
		t.Run(name, target.same)
	}
}
