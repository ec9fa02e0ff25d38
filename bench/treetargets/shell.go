package treetargets

import (
	"io"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"mvdan.cc/sh/v3/syntax"
)

// shell is a parser and a printer of shell programs.
func shell() Target {
	return Target{
		Name:     "shell",
		Packages: []string{"mvdan.cc/sh/v3/syntax"},
		Gen:      shellPrograms(),
		Run: func(input string) {
			f, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(input), "")
			if err != nil {
				return
			}
			syntax.Simplify(f)
			_ = syntax.NewPrinter(syntax.Indent(2), syntax.SwitchCaseIndent(true)).Print(io.Discard, f)
		},
	}
}

func shellPrograms() (program bigen.Gen[string]) {
	name := words("a", "b", "PATH", "1", "@", "#", "?")
	plain := words("x", "-n", "12", "a*", "{a,b}", "~/x", "?(y)", "$'\\n'", "--", "=")
	var word bigen.Gen[string]
	lazyWord := bigen.Lazy(func() bigen.Gen[string] { return word })
	lazyProgram := bigen.Lazy(func() bigen.Gen[string] { return program })
	arithmetic := recursive(func(self bigen.Gen[string]) bigen.Gen[string] {
		return bigen.Pick(
			form("number", "%s", words("0", "1", "x", "$y")),
			form("sum", "%s+%s", self, self),
			form("compare", "%s<%s", self, self),
			form("assign", "x%s%s", words("=", "+=", "<<="), self),
			form("increment", "%s++", words("x", "y")),
			form("ternary", "%s?%s:%s", self, self, self),
			form("group", "(%s)", self),
			form("minus", "-%s", self),
			form("index", "a[%s]", self))
	})
	part := bigen.Pick(
		form("plain", "%s", plain),
		form("single", "'%s'", plain),
		form("double", `"%s"`, lazyWord),
		form("param", "$%s", name),
		form("expansion", "${%s%s%s}", name, words(":-", "=", "#", "%%", "/a/", ":1:", "^^", "@"), plain),
		form("length", "${#%s}", name),
		form("substitution", "$(%s)", lazyProgram),
		form("backquotes", "`%s`", plain),
		form("arithmetic", "$((%s))", arithmetic),
		form("process", "<(%s)", lazyProgram),
		form("element", "${a[%s]}", arithmetic))
	word = list(3, "", part)
	args := list(4, " ", lazyWord)
	redirect := bigen.Pick(
		form("none", ""),
		form("output", " >%s", plain),
		form("append", " 2>>%s", plain),
		form("input", " <%s", plain),
		form("duplicate", " 2>&1"),
		form("all", " &>%s", plain),
		form("string", " <<<%s", lazyWord),
		form("document", " <<E\n%s\nE\n", lazyWord))
	test := recursive(func(self bigen.Gen[string]) bigen.Gen[string] {
		return bigen.Pick(
			form("word", "x%s", lazyWord),
			form("unary", "%s %s", words("-f", "-z", "-n", "-e"), plain),
			form("binary", "x %s %s", words("==", "=~", "-eq", "<", "!="), plain),
			form("and", "%s && %s", self, self),
			form("or", "%s || %s", self, self),
			form("not", "! %s", self),
			form("group", "( %s )", self))
	})
	command := recursive(func(self bigen.Gen[string]) bigen.Gen[string] {
		return bigen.Pick(
			form("simple", "c %s%s", args, redirect),
			form("assignment", "%s=%s", words("a", "a[1]", "b+"), lazyWord),
			form("array", "a=(%s)", args),
			form("pipe", "%s | %s", self, self),
			form("and", "%s && %s", self, self),
			form("or", "%s || %s", self, self),
			form("not", "! %s", self),
			form("background", "%s &", self),
			form("subshell", "(%s)%s", lazyProgram, redirect),
			form("block", "{ %s\n}%s", lazyProgram, redirect),
			form("if", "if %s\nthen %s\nelse %s\nfi", self, lazyProgram, self),
			form("while", "while %s\ndo %s\ndone", self, lazyProgram),
			form("for", "for i in %s\ndo %s\ndone", args, lazyProgram),
			form("loop", "for ((%s; %s; %s))\ndo %s\ndone", arithmetic, arithmetic, arithmetic, self),
			form("select", "select i in %s\ndo %s\ndone", args, self),
			form("case", "case %s in\n%s) %s ;;\n*) ;;\nesac", lazyWord, plain, lazyProgram),
			form("function", "f() { %s\n}", lazyProgram),
			form("declare", "%s %s", words("declare -a", "export", "local", "readonly"), plain),
			form("test", "[[ %s ]]", test),
			form("arithmetic", "((%s))", arithmetic),
			form("let", "let %s", words("x=1", "x++")),
			form("time", "time %s", self),
			form("coproc", "coproc { %s\n}", self))
	})
	return list(4, "\n", bigen.Pick(
		form("command", "%s", command),
		form("comment", "# %s", plain)))
}
