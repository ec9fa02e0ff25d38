package treetargets

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// expression is a compiler of expressions and a machine that runs them.
func expression() Target {
	const path = "github.com/expr-lang/expr"
	env := map[string]any{
		"i": 3, "f": 1.5, "s": "text", "b": true, "a": []int{1, 2, 3}, "m": map[string]any{"k": 1},
		"g": func(x int) int { return x + 1 }, "n": nil,
	}
	return Target{
		Name: "expression",
		Packages: []string{path, path + "/parser/...", path + "/ast", path + "/checker/...",
			path + "/compiler", path + "/optimizer", path + "/vm/...", path + "/builtin"},
		Gen: expressions(),
		Run: func(input string) {
			program, err := expr.Compile(input, expr.AllowUndefinedVariables())
			if err != nil {
				return
			}
			machine := vm.VM{MemoryBudget: 1e5}
			if v, err := machine.Run(program, env); err == nil {
				_ = fmt.Sprint(v)
			}
			_, _ = expr.Compile(input, expr.Env(env))
		},
	}
}

func expressions() bigen.Gen[string] {
	return recursive(func(self bigen.Gen[string]) bigen.Gen[string] {
		predicate := bigen.Pick(
			form("item", "{# %s 1}", words(">", "==", "+", "in")),
			form("closure", "{%s}", self),
			form("field", "{.k > %s}", words("0", "1")))
		call := func(names ...string) bigen.Gen[string] { return words(names...) }
		return bigen.Pick(
			form("integer", "%s", words("0", "1", "42", "0x1f", "1_000")),
			form("float", "%s", words("0.5", "1e3", ".25")),
			form("text", "%s", words(`"a"`, `'b'`, "`c`", `"\u00e9"`)),
			form("boolean", "%s", words("true", "false")),
			form("nil", "nil"),
			form("name", "%s", words("i", "f", "s", "b", "a", "m", "n", "missing")),
			form("array", "[%s]", list(3, ", ", self)),
			form("map", `{"k": %s, i: %s}`, self, self),
			form("not", "not (%s)", self),
			form("minus", "-(%s)", self),
			form("arithmetic", "(%s %s %s)", self, words("+", "-", "*", "/", "%", "**", "^"), self),
			form("compare", "(%s %s %s)", self, words("==", "!=", "<", ">=", "<=", ">"), self),
			form("logic", "(%s %s %s)", self, words("and", "or", "&&", "||"), self),
			form("text operator", "(%s %s %s)", self,
				words("contains", "startsWith", "endsWith", "matches", "in", "not in"), self),
			form("range", "(%s..%s)", words("1", "0", "i"), words("3", "9", "i")),
			form("ternary", "(%s ? %s : %s)", self, self, self),
			form("coalesce", "(%s ?? %s)", self, self),
			form("member", "(%s)%s", self, words(".k", "?.k", ".missing")),
			form("index", "(%s)[%s]", self, self),
			form("slice", "(%s)[%s:%s]", self, words("", "0", "1"), words("", "2", "-1")),
			form("predicate", "%s(%s, %s)", call("all", "any", "none", "one", "map", "filter", "find",
				"findIndex", "findLast", "count", "sum", "groupBy", "sortBy", "countBy"), self, predicate),
			form("function", "%s(%s)", call("len", "abs", "int", "float", "string", "type", "upper", "trim",
				"keys", "values", "toJSON", "fromJSON", "first", "last", "min", "max", "sum", "mean", "sort",
				"reverse", "uniq", "flatten", "toPairs", "toBase64", "duration", "date", "g"), self),
			form("two arguments", "%s(%s, %s)", call("split", "join", "repeat", "indexOf", "hasPrefix",
				"concat", "take", "get", "bitand", "max", "trimPrefix"), self, self),
			form("reduce", "reduce(%s, {#acc + #}, %s)", self, self),
			form("pipe", "(%s | %s())", self, words("len", "string", "sort", "first", "upper")),
			form("let", "(let x = %s; x + %s)", self, self))
	})
}
