package mistake

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/loader"
	"github.com/stretchr/testify/require"
)

// ending is a function that ends in each statement that a function with results may end in. Its
// lines have other names, as those of generated code.
const ending = `
import "sync"

//line grammar.y:1000
func F(k int, c chan int, x any, mu *sync.Mutex) (n int) {
	f := func() int { if k > 1 { return k * 2 }; panic("no") }
	if k > 7 {
		panic("left out")
	}
	switch k {
	case 0:
		n = f() + 1
		return
	case 1:
		fallthrough
	case 2:
		for { c <- k; k += 2; panic("left out") }
	case 3:
		switch x.(type) {
		case int:
			{ n++; panic("type"); ; }
		default:
			if k > 3 { panic("then") } else if k > 2 { panic("other") } else { return }
		}
	case 4:
		select {
		case n = <-c:
			mu.Lock()
			mu.Unlock()
			return
		case c <- k:
		}
		return n - 1
	default:
	again:
		if n++; n < 9 { goto again } else { panic("label") }
	}
}`

// A function stays one that ends, without a check of each mistake.
func TestEnds(t *testing.T) {
	p := packageOf(t, "package p\n"+ending+"\n")
	calls, check := 0, p.Check
	p.Check = func(files []loader.File) []types.Error { calls++; return check(files) }
	g, err := p.Compile(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, calls)
	require.Zero(t, g.Left)
	left := 0
	for _, m := range g.Mistakes {
		if m.Kind == Statement && strings.Contains(m.Before, "left out") {
			left++
		}
	}
	require.Equal(t, 4, left) // two calls of panic, and two statements beside one
}

// numbered matches the number of a mistake in a text.
var numbered = regexp.MustCompile(`espalier[A-Z]\w*(?:\[[^]]*\])?\((\d+)[,)]`)

// An error that is not at the place of a mistake costs few checks, wherever lines say that they are.
func TestBisect(t *testing.T) {
	for _, c := range []struct {
		name  string
		sets  [][]int // of mistakes that do not compile together
		exact bool    // only these are left out
		place func(f *ast.FuncDecl, p *types.Error)
	}{
		{"one", [][]int{{5}}, true, func(f *ast.FuncDecl, e *types.Error) { e.Pos = f.Body.Rbrace }},
		{"first and last", [][]int{{1}, {60}}, true,
			func(f *ast.FuncDecl, e *types.Error) { e.Pos = f.Body.Rbrace }},
		{"together", [][]int{{7, 8}}, false,
			func(f *ast.FuncDecl, e *types.Error) { e.Pos = f.Body.Rbrace }},
		{"nowhere", [][]int{{9}, {33, 34}}, false, func(*ast.FuncDecl, *types.Error) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := "package p\n\n//line grammar.y:1000\nfunc F(a int) {\n" +
				strings.Repeat("\tprintln(a)\n", 60) + "}\n"
			p := packageOf(t, code)
			calls := 0
			p.Check = func(files []loader.File) []types.Error {
				calls++
				made := map[int]bool{}
				for _, m := range numbered.FindAllStringSubmatch(string(files[0].Text), -1) {
					n, _ := strconv.Atoi(m[1])
					made[n] = true
				}
				for _, set := range c.sets {
					all := true
					for _, n := range set {
						all = all && made[n]
					}
					if all {
						e := types.Error{Msg: "it does not compile"}
						c.place(files[0].Syntax.Decls[0].(*ast.FuncDecl), &e)
						return []types.Error{e}
					}
				}
				return nil
			}
			g, err := p.Compile(t.Context())
			require.NoError(t, err)
			for _, set := range c.sets {
				left := 0
				for _, n := range set {
					if p.left[n] {
						left++
					}
				}
				require.Positive(t, left, set)
			}
			if c.exact {
				require.Equal(t, len(c.sets), g.Left)
			}
			require.Less(t, calls, 40)
		})
	}
}

// An error of the compiler leaves out the mistakes of its line, if it has no column. What is left is
// built again, unless the error has the place of no mistake, or is another one.
func TestBuild(t *testing.T) {
	p := packageOf(t, "package p\n\n//line grammar.y:1000\nfunc F(a int) {\n\tprintln(a+1)\n\tprintln(-a)\n}\n")
	g, err := p.Compile(t.Context())
	require.NoError(t, err)
	elsewhere := &gotest.BuildError{Output: "# example.com/p\ngrammar.y:1003: it is wrong\nb.go:1001: so is this\n"}
	var built []int
	says := func(errs ...error) func(*Program) error {
		built = nil
		return func(g *Program) error {
			built = append(built, len(g.Mistakes))
			return errs[len(built)-1]
		}
	}
	_, err = g.Build(t.Context(), says(elsewhere))
	require.ErrorIs(t, err, elsewhere)
	_, err = g.Build(t.Context(), says(io.EOF))
	require.ErrorIs(t, err, io.EOF)
	here := &gotest.BuildError{Output: "./grammar.y:1001: it is wrong\n"}
	g, err = g.Build(t.Context(), says(fmt.Errorf("it does not compile: %w", here), nil))
	require.NoError(t, err)
	require.Equal(t, []int{5, 2}, built)
	for _, m := range g.Mistakes {
		require.Equal(t, 6, m.Line)
	}
}

// Nothing is compiled once the context ends.
func TestCompileEnds(t *testing.T) {
	cause := fmt.Errorf("the user has had enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	p := packageOf(t, "package p\n"+ending+"\n")
	check := p.Check
	p.Check = func(files []loader.File) []types.Error {
		cancel(cause)
		return append(check(files), types.Error{Msg: "it does not compile"})
	}
	_, err := p.Compile(ctx)
	require.ErrorIs(t, err, cause)
}
