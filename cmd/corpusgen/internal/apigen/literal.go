package apigen

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gosource"
	"github.com/espalier-go/espalier/internal/hash"
)

const (
	maxMined     = 5      // numbers of the package
	maxMinedInt  = 10_000 // a larger one may be a size that takes all memory
	maxTexts     = 20     // strings of the package
	maxMinedLen  = 40
	maxTested    = 60 // strings of its tests
	maxTestedLen = 200
	maxLong      = 6 // strings of its tests that may be long
	maxLongLen   = 4000
	maxEnum      = 100 // constants of an enumeration whose values are listed
)

// basic returns the code of a generator of a type whose underlying type is basic: mostly of its
// literals, else of any value but sizes that take all memory. It returns "" if there is
// none.
func (e *enum) basic(t types.Type) string {
	known, name := strings.Join(e.literals(t), ", "), e.typeName(t)
	basic := t.Underlying().(*types.Basic)
	if known == "" && basic.Info()&types.IsString == 0 {
		return ""
	}
	var constants []*types.Const
	named, _ := types.Unalias(t).(*types.Named)
	if named != nil {
		constants = e.constants(named)
	}
	others := ""
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0, enumerates(constants):
		return "bigen.OneOf[" + name + "](" + known + ")"
	case info&types.IsFloat != 0:
		others = "bigen.Float[" + name + "]()"
	case info&types.IsComplex != 0:
		others = "bigen.Complex[" + name + "]()"
	case info&types.IsString != 0:
		others = fmt.Sprintf("bigen.Prefer(bigen.String(%d), %s...)", maxLongLen, knownTexts)
		if !types.Identical(t, basic) {
			others = "bigen.As[" + name + "](" + others + ")"
		}
		if known == "" {
			return others
		}
	case named == nil && (basic.Kind() == types.Int64 || basic.Kind() == types.Uint64),
		basic.Kind() == types.Int8, basic.Kind() == types.Uint8:
		others = "bigen.Int[" + name + "]()"
	default:
		low, high := int64(-maxMinedInt), int64(maxMinedInt)
		if info&types.IsUnsigned != 0 {
			low = 0
		}
		for _, c := range constants {
			n, _ := constant.Int64Val(constant.ToInt(c.Val()))
			low, high = min(low, n), max(high, n)
		}
		others = fmt.Sprintf("bigen.IntRange[%s](%d, %d)", name, low, high)
	}
	return "bigen.Prefer(" + others + ", " + known + ")"
}

// The variables of a harness that generators use: what strings and slices of bytes often are, and a
// generator of values of any type.
const (
	knownTexts  = "known"
	knownBytes  = "knownBytes"
	knownValues = "values"
)

var usesValues = regexp.MustCompile(`\b` + knownValues + `\b`)

// known declares these variables, if the code of generators uses them.
func (e *enum) known(code string) string {
	var b strings.Builder
	values := ""
	if usesValues.MatchString(code) {
		values = knownValues + " := " + e.basis() + "\n"
		code += values
	}
	usesBytes := strings.Contains(code, knownBytes+"...")
	if usesBytes || strings.Contains(code, knownTexts+"...") {
		var quoted []string
		for _, text := range e.texts {
			literal := strconv.Quote(text)
			if len(text) > maxTestedLen && strconv.CanBackquote(strings.ReplaceAll(text, "\n", "")) {
				literal = "`" + text + "`"
			}
			quoted = append(quoted, literal)
		}
		b.WriteString("// Strings of the package, of its tests, testdata and comments.\n" +
			knownTexts + " := []string{\n" + wrapped(quoted) + ",\n}\n")
	}
	if usesBytes {
		fmt.Fprintf(&b, "%[1]s := make([][]byte, len(%[2]s))\n"+
			"for i, text := range %[2]s {\n%[1]s[i] = []byte(text)\n}\n", knownBytes, knownTexts)
	}
	return b.String() + values
}

// usualLiterals are the literals of basic types that are always tried.
var usualLiterals = map[types.BasicInfo][]string{
	types.IsBoolean: {"false", "true"},
	types.IsInteger: {"0", "1", "-1", "10", "100"},
	types.IsFloat:   {"0", "1", "-1", "0.5", "10", "100"},
	types.IsComplex: {"0", "1", "1i"},
}

// literals returns expressions of a type whose underlying type is basic: the constants of an
// enumeration, or else small values, and the most telling integers of the package.
func (e *enum) literals(t types.Type) (all []string) {
	basic := t.Underlying().(*types.Basic)
	has := map[string]bool{}
	add := func(text string, v constant.Value) {
		if key := v.ExactString(); !has[key] {
			has[key] = true
			all = append(all, text)
		}
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && enumerates(e.constants(named)) {
		for _, c := range e.constants(named) {
			add(e.qualified(c), c.Val())
		}
		return all // callers have no reason to give another
	}
	kind := basic.Info() &^ types.IsUnsigned
	usual := slices.Clone(usualLiterals[kind])
	for i := 0; i < len(e.ints) && kind == types.IsInteger; i++ {
		usual = append(usual, strconv.FormatInt(e.ints[i], 10))
	}
	for _, text := range usual {
		converted := basic.Name() + "(" + text + ")"
		if v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, converted); err == nil {
			add(text, v.Value)
		}
	}
	return all
}

// enumerates reports whether constants make up an enumeration that is not too large: integers
// that follow each other, unlike flags.
func enumerates(all []*types.Const) bool {
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
	return len(ns) == len(all) && len(ns) > 2 && len(ns) <= maxEnum
}

// constants returns the exported constants of a type, in the order of the source. Texts are those
// that a generator of texts makes.
func (e *enum) constants(t *types.Named) (all []*types.Const) {
	if t.Obj().Pkg() == nil {
		return nil
	}
	if of := t.Obj().Pkg(); !of.Complete() && e.pkg.lookup != nil {
		_, _ = e.pkg.lookup.Import(of.Path()) // it completes the package
	}
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !c.Exported() || !types.Identical(c.Type(), t) {
			continue
		}
		if c.Val().Kind() == constant.String {
			text := constant.StringVal(c.Val())
			if !utf8.ValidString(text) || len(text) > maxTestedLen {
				continue
			}
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b *types.Const) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return all
}

// mine finds the literals that tell most: those that the package has most often, and of its tests
// and examples those that have most of the words. What only messages, tags and the names of cases
// hold does not count.
func (e *enum) mine() {
	found := literalsOf(e.pkg.files)
	e.texts = []string{"", "a", "b", "ab"}
	e.take(slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(found[b]-found[a], strings.Compare(a, b))
	}), maxTexts, maxMinedLen)
	e.take(e.fileNames(maxNames, math.MaxInt64), maxNames, maxTestedLen)
	tested := wordiest(slices.SortedFunc(maps.Keys(literalsOf(e.pkg.tests)), byHash))
	e.take(tested, maxTested, maxTestedLen)
	e.take(tested, maxLong, maxLongLen)
	e.take(e.passages(), maxPassages, maxTestedLen)
}

// byHash orders texts at random, in the same way each time.
func byHash(a, b string) int { return cmp.Compare(hash.FNV64(a), hash.FNV64(b)) }

// take takes the first of some literals that are strings or integers.
func (e *enum) take(literals []string, most, maxLen int) {
	texts, ints := len(e.texts)+most, len(e.ints)+maxMined
	for _, text := range literals {
		if s, err := strconv.Unquote(text); err == nil {
			isText := text[0] != '\'' && len(s) <= maxLen && utf8.ValidString(s)
			if isText && len(e.texts) < texts && !slices.Contains(e.texts, s) {
				e.texts = append(e.texts, s)
			}
			continue
		}
		n, err := strconv.ParseInt(text, 0, 64)
		isSmall := err == nil && n <= maxMinedInt
		if isSmall && len(e.ints) < ints && !slices.Contains(e.ints, n) {
			e.ints = append(e.ints, n)
		}
	}
}

// names matches the fields of a table of tests that only people read.
var names = regexp.MustCompile(
	`(?i)^(test|case)?_?(name|desc(ription)?|title|scenario|comment|about|note)$`)

// literalsOf counts the literals of files.
func literalsOf(files []*ast.File) map[string]int {
	c := literals{found: map[string]int{}, skipped: map[ast.Node]bool{}, types: map[string]ast.Expr{}}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				c.types[t.Name.Name] = t.Type
			}
			return true
		})
	}
	for _, f := range files {
		ast.Inspect(f, c.visit)
	}
	return c.found
}

// literals counts literals, but for those that only people read.
type literals struct {
	found   map[string]int
	skipped map[ast.Node]bool
	types   map[string]ast.Expr // that the files declare
}

func (c *literals) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.Field:
		return n.Tag == nil
	case *ast.KeyValueExpr:
		key, ok := n.Key.(*ast.Ident)
		return !ok || !names.MatchString(key.Name)
	case *ast.CompositeLit:
		c.skipNames(n)
	case *ast.CallExpr:
		if _, name := gosource.Callee(n); name == "Run" && len(n.Args) > 0 {
			c.skipped[n.Args[0]] = true
		}
		return !tells(n)
	case *ast.BasicLit:
		if !c.skipped[n] {
			c.found[n.Value]++
		}
	}
	return true
}

// skipNames skips the names with which rows of a table of tests begin.
func (c *literals) skipNames(table *ast.CompositeLit) {
	t, ok := table.Type.(*ast.ArrayType)
	if !ok || !named(t.Elt, c.types) {
		return
	}
	for _, row := range table.Elts {
		if row, ok := row.(*ast.CompositeLit); ok && len(row.Elts) > 0 {
			c.skipped[row.Elts[0]] = true
		}
	}
}

// named reports whether rows of a table of tests begin with a name. known has the types of the
// files.
func named(row ast.Expr, known map[string]ast.Expr) bool {
	if id, ok := row.(*ast.Ident); ok {
		row = known[id.Name]
	}
	s, ok := row.(*ast.StructType)
	if !ok || len(s.Fields.List) == 0 || len(s.Fields.List[0].Names) == 0 {
		return false
	}
	return names.MatchString(s.Fields.List[0].Names[0].Name)
}

var wordLike = regexp.MustCompile(`\pL+|\d+|\s+|.`)

// wordiest sorts texts: first that whose words are in most of the texts, then that whose words
// which the first lacks are in most of them, and so on.
func wordiest(texts []string) (sorted []string) {
	wordsOf, times := make([]map[string]bool, len(texts)), map[string]int{}
	for i, text := range texts {
		wordsOf[i] = map[string]bool{}
		for _, w := range wordLike.FindAllString(text, -1) {
			wordsOf[i][w] = true
		}
		for w := range wordsOf[i] {
			times[w]++
		}
	}
	for len(texts) > 0 && len(sorted) < 2*maxTested {
		best, most := 0, -1
		for i := range texts {
			n := 0
			for w := range wordsOf[i] {
				n += times[w]
			}
			if n > most {
				best, most = i, n
			}
		}
		for w := range wordsOf[best] {
			times[w] = 0
		}
		sorted = append(sorted, texts[best])
		texts, wordsOf = slices.Delete(texts, best, best+1), slices.Delete(wordsOf, best, best+1)
	}
	return sorted
}

// tells reports whether a call makes a message for people: its literals are no data.
func tells(call *ast.CallExpr) bool {
	of, name := gosource.Callee(call)
	switch name {
	case "New":
		pkg, ok := of.(*ast.Ident)
		return ok && pkg.Name == "errors"
	case "panic", "Errorf", "Sprintf", "Printf", "Fprintf", "Println", "Print", "Fatal", "Fatalf",
		"Panicf", "Error", "Log", "Logf", "Skip", "Skipf":
		return true
	}
	return false
}
