package shprograms

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// TestPrograms requires that nearly all programs parse.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		gen bigen.Gen[*syntax.File]
		src choices.Source
	}{
		"derived":  {Derived(), choices.Random(r)},
		"megadeth": {Gen(), choices.RandomBy(r, MegaDeTH(10))},
	} {
		const programs = 300
		valid, long := 0, 0
		for range programs {
			f, tree, err := bigen.Run(c.gen, c.src)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := Print(f); err != nil {
				t.Error(name, err)
			} else if _, err = Parse(text); err == nil {
				valid++
			}
			if len(tree) > 50_000 {
				long++
			}
		}
		if valid < programs*98/100 || long > 0 {
			t.Errorf("%s: of %d programs, %d are valid, and %d are as long as can be", name, programs, valid, long)
		}
	}
}

func TestRead(t *testing.T) {
	if _, err := predict.Read(Gen()); err != nil {
		t.Error(err)
	}
}

func TestRecursiveArguments(t *testing.T) {
	d := describe()
	for tag, want := range map[string]int{
		"number": 0, "step": 0, "SglQuoted": 0, "testWord": 1, "CallExpr": 1, "binary": 2, "ternary": 3,
		"Stmt": 2, "BinaryCmd": 4, "element": 2, "IfClause": 10,
	} {
		if n := d.recursiveArguments(d.constructors[tag]); n != want {
			t.Errorf("%s: %d recursive arguments, not %d", tag, n, want)
		}
	}
}

func TestInterpret(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	for program, want := range map[string]error{
		"true":                       nil,
		"a=1; [[ $a -eq 1 ]]":        nil,
		"ls":                         interp.ExitStatus(127),
		"exec ls":                    interp.ExitStatus(127),
		"echo x >" + file:            interp.ExitStatus(1),
		"while :; do :; done":        ErrSteps,
		"for ((;;)); do ((1)); done": ErrSteps,
		"f() { f; }; f":              ErrSteps,
		"[[ -R '' ]]":                ErrPanic,
	} {
		if err := Interpret(program); !errors.Is(err, want) {
			t.Errorf("%s: %v, not %v", program, err, want)
		}
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program has written a file: %v", err)
	}
	var parse syntax.ParseError
	if err := Interpret("if"); !errors.As(err, &parse) {
		t.Errorf("if: %v", err)
	}
}
