package planted

import (
	"testing"

	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/internal/testing/long"
)

func TestGenerators(t *testing.T) {
	few := bigentest.Runs(long.Count(1, 30))
	t.Run("Operation", func(t *testing.T) { bigentest.Laws(t, GenOperation, few) })
	if !long.Enabled() {
		return
	}
	t.Run("Expr", func(t *testing.T) { bigentest.Laws(t, GenExpr(), few) })
	t.Run("Pair", func(t *testing.T) { bigentest.Laws(t, GenPair, few) })
	t.Run("Calls", func(t *testing.T) { bigentest.Laws(t, GenCalls, few) })
	t.Run("Plan", func(t *testing.T) { bigentest.Laws(t, GenPlan, few) })
	t.Run("Script", func(t *testing.T) { bigentest.Laws(t, GenScript, few) })
}
