package user

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

var (
	genInt     = bigen.IntRange(0, 1<<40)
	genNumbers = bigen.SliceOf(bigen.IntRange(0, 1000), 0, 20)
)

func TestPass(t *testing.T) {
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {
		if n > 10 {
			t.Label("large")
		}
		if n%2 == 0 {
			t.Label("even")
			t.Label("even")
		}
		if n < 0 {
			t.Error("negative")
		}
	})
}

func TestTwice(t *testing.T) {
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {})
	fuzzext.Check(t, genNumbers, func(t *fuzzext.T, v []int) { t.Error("not run") })
}

func TestFew(t *testing.T) {
	fuzzext.Check(t, bigen.Bool(), func(t *fuzzext.T, v bool) {})
}

func TestPrint(t *testing.T) {
	fuzzext.Check(t, genNumbers, func(t *fuzzext.T, v []int) { fmt.Println(v) })
}

func TestOptions(t *testing.T) {
	fuzzext.Check(t, genNumbers, func(t *fuzzext.T, v []int) { fmt.Println(v) }, fuzzext.Checks(30), fuzzext.Seed(5))
}

// The generator makes another one for each value.
func TestAnew(t *testing.T) {
	g := bigen.Struct(func(c *bigen.C, p *struct{ X int8 }) { bigen.At(c, &p.X, bigen.For[int8](bigen.EmptyOrNil())) })
	fuzzext.Check(t, g, func(*fuzzext.T, struct{ X int8 }) {}, fuzzext.Checks(30))
}

func TestSum(t *testing.T) {
	fuzzext.Check(t, genNumbers, func(t *fuzzext.T, v []int) {
		sum := 0
		for _, n := range v {
			sum += n
		}
		if sum >= 100 && os.Getenv("FIXED") == "" {
			t.Errorf("the sum is %d", sum)
		}
	})
}

func TestParallel(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"one", "../x:y", "NUL"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {
				if n > 2 {
					t.Fatal(name)
				}
			})
		})
	}
}

func TestSlow(t *testing.T) {
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) { time.Sleep(20 * time.Millisecond) })
}

func TestRarely(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(1, 100), func(t *fuzzext.T, n int) { t.Assume(n == 50) })
}

func TestOften(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(1, 100), func(t *fuzzext.T, n int) { t.Assume(n%4 == 0) })
}

func TestSkips(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(1, 100), func(t *fuzzext.T, n int) {
		if n%2 == 0 {
			t.Log("looking")
			t.Skipf("even: %d", n)
		}
	})
}

func TestPanicsAlways(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(1, 100), func(t *fuzzext.T, n int) { panic("always") })
}

func TestRejects(t *testing.T) {
	g := bigen.SuchThat(genInt, func(n int) bool { return n < 0 })
	fuzzext.Check(t, g, func(t *fuzzext.T, n int) {})
}

func TestHang(t *testing.T) {
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {
		if n > 100 {
			select {}
		}
	})
}

func TestHangBelow(t *testing.T) {
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {
		if n > 1000 {
			t.Fatal("large")
		}
		if n > 2 {
			select {}
		}
	}, fuzzext.Examples(100_000))
}

func TestExit(t *testing.T) {
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {
		if n >= 10 {
			os.Exit(3)
		}
	})
}

func TestGoroutine(t *testing.T) {
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {
		var wg sync.WaitGroup
		wg.Go(func() {
			if n > 10 {
				panic("lost")
			}
		})
		wg.Wait()
	})
}

func TestLate(t *testing.T) {
	var over, told chan bool // of the run before
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {
		if over != nil {
			close(over)
			<-told
		}
		over, told = make(chan bool), make(chan bool)
		go func(over, told chan bool) {
			<-over
			t.Log("not shown")
			t.Error("too late")
			close(told)
		}(over, told)
	})
}

func TestLater(t *testing.T) {
	var late *fuzzext.T
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) { late = t })
	late.Error("later still")
}

func TestOuter(t *testing.T) {
	fuzzext.Check(t, genInt, func(_ *fuzzext.T, n int) {
		if n > 10 {
			t.Error("outer")
		}
	})
}

func TestOuterFatal(t *testing.T) {
	fuzzext.Check(t, genInt, func(_ *fuzzext.T, n int) {
		if n > 10 {
			t.Fatal("outer")
		}
	})
}

func TestAlready(t *testing.T) {
	t.Error("failed before")
	fuzzext.Check(t, genInt, func(t *fuzzext.T, n int) {})
}

func TestGenerator(t *testing.T) {
	g := bigen.Struct(func(c *bigen.C, v *struct{ N int }) {
		bigen.At(c, &v.N, genInt)
		if v.N > 10 {
			panic("bad luck")
		}
	})
	fuzzext.Check(t, g, func(t *fuzzext.T, v struct{ N int }) {})
}

func TestGeneratorExits(t *testing.T) {
	g := bigen.Struct(func(c *bigen.C, v *struct{ N int }) {
		bigen.At(c, &v.N, genInt)
		if v.N > 10 {
			t.FailNow()
		}
	})
	fuzzext.Check(t, g, func(t *fuzzext.T, v struct{ N int }) {})
}

func places(t *fuzzext.T, n int) {
	if n >= 1000 {
		t.Error("large")
	} else if n >= 10 {
		t.Error("small")
	}
}

func TestPlaces(t *testing.T) {
	fuzzext.Check(t, genInt, places, fuzzext.Examples(100_000))
}

func TestAny(t *testing.T) {
	fuzzext.Check(t, genInt, places, fuzzext.Examples(100_000), fuzzext.AnyFailure())
}

func TestExamples(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(0, 100), func(t *fuzzext.T, n int) {
		if n == 77 {
			t.Error("found")
		}
	}, fuzzext.Examples(1), fuzzext.Examples(2, 77))
}

func TestForeign(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(0, 100), func(t *fuzzext.T, n int) {}, fuzzext.Examples(1, 200))
}

func TestTypes(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(0, 100), func(t *fuzzext.T, n int) {}, fuzzext.Examples(int64(3)))
}

// An error of the runtime ends the process.
func TestRuntimeError(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(0, 1000), func(t *fuzzext.T, v int) {
		if v > 100 {
			new(sync.Mutex).Unlock()
		}
	})
}

// Two bugs of one oracle, each of which can be mended.
func TestTwoBugs(t *testing.T) {
	fuzzext.Check(t, bigen.SliceOf(bigen.OneOf("red", "green", "blue"), 0, 5), func(t *fuzzext.T, v []string) {
		for _, s := range v {
			if s == "green" && os.Getenv("MENDED") != "green" || s == "blue" && os.Getenv("MENDED") != "blue" {
				t.Errorf("bad: %s", s)
			}
		}
	})
}

// Minimizing ends the process.
func TestEndsLater(t *testing.T) {
	failed := false
	fuzzext.Check(t, bigen.IntRange(0, 1000), func(t *fuzzext.T, v int) {
		if failed {
			new(sync.Mutex).Unlock()
		}
		if failed = v > 100; failed {
			t.Error("large")
		}
	})
}

func TestDawdles(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(0, 1<<40), func(t *fuzzext.T, n int) {
		time.Sleep(200 * time.Millisecond)
		if n >= 1000 {
			t.Error("large")
		}
	})
}

func TestEqualFields(t *testing.T) {
	type pair struct{ A, B int }
	fuzzext.Check(t, bigen.For[pair](), func(t *fuzzext.T, p pair) {
		fuzzext.Equal(t, pair{min(p.A, 5), min(p.B, 9)}, p)
	})
}
