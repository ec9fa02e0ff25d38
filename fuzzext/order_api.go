package fuzzext

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/internal/job"
)

// takeAPIOrder is takeModelOrder in a process that takes orders.
func takeAPIOrder(tb testing.TB, model any) (taken bool) {
	tb.Helper()
	t, ok := tb.(*testing.T)
	if !ok {
		return false
	}
	o := currentOrder()
	if o == nil || o.API == nil {
		return false
	}
	m, ok := model.(interface{ CarryOut(o *job.API) error })
	if ok && o.Target == t.Name() {
		if err := m.CarryOut(o.API); err != nil {
			panic(fmt.Sprintf("fuzzext: answering corpusgen: %v", err))
		}
	}
	t.Skip("corpusgen runs this test only for its sequences")
	return true
}
