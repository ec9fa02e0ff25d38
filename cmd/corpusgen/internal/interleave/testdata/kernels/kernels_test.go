package kernels

import (
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

func TestPlanted(t *testing.T) { testAll(t, false) }
func TestFixed(t *testing.T)   { testAll(t, true) }

func testAll(t *testing.T, fixed bool) {
	for _, k := range Kernels {
		t.Run(k.Name, func(t *testing.T) {
			fuzzext.Concurrent(t, func(t *fuzzext.T) { k.Run(t, fixed) })
		})
	}
}
