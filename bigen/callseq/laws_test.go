package callseq_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/fuzzext"
)

func TestLaws(t *testing.T) {
	bigentest.Laws(t, cacheModel("").Gen())
}

func TestCache(t *testing.T) {
	fuzzext.Sequence(t, cacheModel("get is no use"))
}
func TestCache1(t *testing.T) {
	fuzzext.Sequence(t, cacheModel("x"))
}
func TestCacheOK(t *testing.T) {
	fuzzext.Sequence(t, cacheModel(""))
}
