package user

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/fuzzext"
)

func FuzzHang(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genInt, func(t *fuzzext.T, n int) {
		if n > 100 {
			select {}
		}
	}))
}

func FuzzExit(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genInt, func(t *fuzzext.T, n int) {
		if n > 100 {
			os.Exit(3)
		}
	}))
}

func down(n int) int { return down(n+1) + 1 }

func FuzzRecursion(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genInt, func(t *fuzzext.T, n int) {
		if n > 100 {
			down(n)
		}
	}))
}

func FuzzTooLate(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genInt, func(t *fuzzext.T, _ int) {
		if over != nil {
			close(over)
			<-told
		}
		over, told = make(chan bool), make(chan bool)
		go func(over, told chan bool) {
			<-over
			t.Error("too late")
			close(told)
		}(over, told)
	}))
}
