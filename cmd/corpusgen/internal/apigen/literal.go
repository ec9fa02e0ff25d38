package apigen

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/internal/callee"
	"github.com/espalier-go/espalier/internal/hash"
)

const (
	maxMined     = 5      // literals of the package for numbers, and for strings
	maxMinedInt  = 10_000 // a larger one may be a size that takes all memory
	maxMinedLen  = 40
	maxTested    = 12 // strings of its tests
	maxTestedLen = 200
	maxNamed     = 8 // constants of a named type
)

// basic returns the code of a generator of a type whose underlying type is basic: mostly of its
// literals, else of any value that is no size which takes all memory. It returns "" if there is none.
func (e *enum) basic(t types.Type) string {
	list := e.literals(t)
	if len(list) == 0 {
		return ""
	}
	known, name, basic := strings.Join(list, ", "), e.typeName(t), t.Underlying().(*types.Basic)
	named, _ := types.Unalias(t).(*types.Named)
	others := ""
	switch info := basic.Info(); {
	case e.inferred(t):
		return "bigen.OneOf(" + known + ")"
	case info&types.IsBoolean != 0, named != nil && dense(e.constants(named)):
		return "bigen.OneOf[" + name + "](" + known + ")"
	case info&types.IsFloat != 0:
		others = "bigen.Float[" + name + "]()"
	case info&types.IsComplex != 0:
		others = "bigen.Complex[" + name + "]()"
	case info&types.IsString != 0:
		if others = fmt.Sprintf("bigen.String(%d)", maxTestedLen); !types.Identical(t, basic) {
			others = "bigen.As[" + name + "](" + others + ")"
		}
	case named == nil && (basic.Kind() == types.Int64 || basic.Kind() == types.Uint64) || basic.Kind() == types.Int8 || basic.Kind() == types.Uint8:
		others = "bigen.Int[" + name + "]()"
	default:
		low, high := int64(-maxMinedInt), int64(maxMinedInt)
		if info&types.IsUnsigned != 0 {
			low = 0
		}
		if named != nil {
			for _, c := range e.constants(named) {
				n, _ := constant.Int64Val(constant.ToInt(c.Val()))
				low, high = min(low, n), max(high, n)
			}
		}
		others = fmt.Sprintf("bigen.IntRange[%s](%d, %d)", name, low, high)
	}
	return "bigen.Prefer(" + others + ", " + known + ")"
}

// bytes returns the code of a generator of []byte.
func (e *enum) bytes() string {
	known := ""
	for _, text := range e.texts {
		known += fmt.Sprintf(", []byte(%q)", text)
	}
	return fmt.Sprintf("bigen.Prefer(bigen.Bytes(0, %d)%s)", maxTestedLen, known)
}

// literals returns expressions of a type whose underlying type is basic: the constants of the
// type, small values, and the most telling literals of the package.
func (e *enum) literals(t types.Type) (all []string) {
	basic := t.Underlying().(*types.Basic)
	has := map[string]bool{}
	add := func(text string, v constant.Value) {
		if key := v.ExactString(); !has[key] && representable(v, basic) {
			has[key] = true
			all = append(all, text)
		}
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		known := e.constants(named)
		for _, c := range known {
			add(e.qualified(c), constant.ToInt(c.Val()))
		}
		if dense(known) {
			return all // callers have no reason to give another
		}
	}
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		add("false", constant.MakeBool(false))
		add("true", constant.MakeBool(true))
	case info&types.IsInteger != 0:
		for _, n := range append([]int64{0, 1, -1, 10, 100}, e.ints...) {
			add(strconv.FormatInt(n, 10), constant.MakeInt64(n))
		}
	case info&types.IsFloat != 0:
		for _, f := range []float64{0, 1, -1, .5, 10, 100} {
			add(strconv.FormatFloat(f, 'g', -1, 64), constant.MakeFloat64(f))
		}
	case info&types.IsComplex != 0:
		all = append(all, "0", "1", "1i")
	case info&types.IsString != 0:
		for _, s := range append([]string{"", "a", "b", "ab"}, e.texts...) {
			add(strconv.Quote(s), constant.MakeString(s))
		}
	}
	return all
}

// dense reports whether constants are those of an enumeration: integers that follow each other, unlike
// flags. A long one is not known whole.
func dense(all []*types.Const) bool {
	var ns []int64
	for _, c := range all {
		if n, ok := constant.Int64Val(constant.ToInt(c.Val())); ok {
			ns = append(ns, n)
		}
	}
	slices.Sort(ns)
	for i := range ns {
		if i > 0 && ns[i]-ns[i-1] > 1 {
			return false
		}
	}
	return len(ns) == len(all) && len(ns) > 2 && len(ns) < maxNamed
}

// representable reports whether a type has a value.
func representable(v constant.Value, basic *types.Basic) bool {
	if v.Kind() == constant.String { // a generator of texts makes it
		s := constant.StringVal(v)
		return utf8.ValidString(s) && len(s) <= maxTestedLen
	}
	if v.Kind() != constant.Int {
		return true
	}
	_, err := types.Eval(token.NewFileSet(), nil, token.NoPos, basic.Name()+"("+v.ExactString()+")")
	return err == nil
}

// constants returns the exported constants of a type, in the order of the source.
func (e *enum) constants(t *types.Named) (all []*types.Const) {
	if t.Obj().Pkg() == nil {
		return nil
	}
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && c.Exported() && types.Identical(c.Type(), t) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *types.Const) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return all[:min(len(all), maxNamed)]
}

// mine finds the literals that tell most: those that the package has most often, and some of its
// tests and examples. What only messages, tags and the names of cases hold does not count.
func (e *enum) mine() {
	e.take(e.pkg.files, maxMined, maxMinedLen, func(a, b string, counts map[string]int) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	e.take(e.pkg.tests, maxTested, maxTestedLen, func(a, b string, _ map[string]int) int {
		return cmp.Compare(hash.FNV64(a), hash.FNV64(b)) // at random
	})
}

// take takes the first strings and integers of files in an order that compare gives.
func (e *enum) take(files []*ast.File, most, maxLen int, compare func(a, b string, counts map[string]int) int) {
	found, texts, ints := map[string]int{}, len(e.texts)+most, len(e.ints)+maxMined
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				return n.Tag == nil
			case *ast.KeyValueExpr:
				key, ok := n.Key.(*ast.Ident)
				return !ok || key.Name != "name" && key.Name != "desc"
			case *ast.CallExpr:
				return !tells(n)
			case *ast.BasicLit:
				found[n.Value]++
			}
			return true
		})
	}
	for _, text := range slices.SortedFunc(maps.Keys(found), func(a, b string) int { return compare(a, b, found) }) {
		if s, err := strconv.Unquote(text); err == nil {
			if text[0] != '\'' && len(s) <= maxLen && len(e.texts) < texts && !slices.Contains(e.texts, s) {
				e.texts = append(e.texts, s)
			}
		} else if n, err := strconv.ParseInt(text, 0, 64); err == nil && n <= maxMinedInt && len(e.ints) < ints && !slices.Contains(e.ints, n) {
			e.ints = append(e.ints, n)
		}
	}
}

// tells reports whether a call makes a message for people: its literals are no data.
func tells(call *ast.CallExpr) bool {
	of, name := callee.Of(call)
	switch name {
	case "New":
		pkg, ok := of.(*ast.Ident)
		return ok && pkg.Name == "errors"
	case "panic", "Errorf", "Sprintf", "Printf", "Fprintf", "Println", "Print", "Fatal", "Fatalf", "Panicf", "Error", "Log", "Logf", "Skip", "Skipf":
		return true
	}
	return false
}
