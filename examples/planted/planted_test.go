package planted

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

func FuzzInsert(f *testing.F) { f.Fuzz(fuzzext.Valid(GenOperation, prop(CheckInsert))) }
func FuzzDelete(f *testing.F) { f.Fuzz(fuzzext.Valid(GenOperation, prop(CheckDelete))) }
func FuzzFloor(f *testing.F)  { f.Fuzz(fuzzext.Valid(GenOperation, prop(CheckFloor))) }
func FuzzUnion(f *testing.F)  { f.Fuzz(fuzzext.Valid(GenPair, prop(CheckUnion))) }
func FuzzShare(f *testing.F)  { f.Fuzz(fuzzext.Valid(GenExpr(), prop(CheckShare))) }
func FuzzCalls(f *testing.F)  { f.Fuzz(fuzzext.Valid(GenCalls, prop(CheckCalls))) }
func FuzzPlan(f *testing.F)   { f.Fuzz(fuzzext.Valid(GenPlan, prop(CheckPlan))) }
func FuzzScript(f *testing.F) { f.Fuzz(fuzzext.Valid(GenScript, prop(CheckScript))) }

func prop[V any](check func(testing.TB, V)) func(*fuzzext.T, V) {
	return func(t *fuzzext.T, v V) { check(t, v) }
}

func TestInsert(t *testing.T) { check(t, GenOperation, CheckInsert) }
func TestDelete(t *testing.T) { check(t, GenOperation, CheckDelete) }
func TestFloor(t *testing.T)  { check(t, GenOperation, CheckFloor) }
func TestUnion(t *testing.T)  { check(t, GenPair, CheckUnion) }
func TestShare(t *testing.T)  { check(t, GenExpr(), CheckShare) }
func TestCalls(t *testing.T)  { check(t, GenCalls, CheckCalls) }
func TestPlan(t *testing.T)   { check(t, GenPlan, CheckPlan) }
func TestScript(t *testing.T) { check(t, GenScript, CheckScript) }

func check[V any](t *testing.T, g bigen.Gen[V], check func(testing.TB, V)) {
	fuzzext.Check(t, g, prop(check))
}
