// Package gocode is what the reports of callseq, and of packages below it, have in common.
package gocode

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"reflect"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/exp/slices"
)

// builtins are the functions of Go whose results must be used.
var builtins = []string{"append", "cap", "complex", "imag", "len", "make", "max", "min", "new",
	"real"}

// AsStatement assigns code to _ if it is an expression that is not a statement.
func AsStatement(code string) string {
	x, err := parser.ParseExpr(code)
	if err != nil {
		return code
	}
	if call, ok := x.(*ast.CallExpr); ok {
		switch f := call.Fun.(type) {
		case *ast.Ident:
			if !slices.Contains(builtins, f.Name) {
				return code
			}
		// conversions
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.InterfaceType, *ast.ParenExpr:
		default:
			return code
		}
	}
	return "_ = " + code
}

// An Arg is an argument of a call.
type Arg struct {
	Name string // of the parameter
	Code string
	Nil  string // the code in place of Code if it is the receiver; or ""
}

// Call returns the code of a call. If name begins with the name of an argument and a dot, the
// argument is the receiver. Without other arguments, a name that ends in a bracket is a call as it
// is. A name that ends in = sets what stands before that.
func Call(name string, args []Arg) string {
	var list []string
	received := false
	for _, a := range args {
		rest, is := strings.CutPrefix(name, a.Name+".")
		switch {
		case received || !is:
			list = append(list, a.Code)
		case a.Nil != "":
			name, received = a.Nil+"."+rest, true
		default:
			name, received = Operand(a.Code)+"."+rest, true
		}
	}
	switch {
	case len(list) == 0 && strings.HasSuffix(name, ")"):
		return name
	case len(list) == 1 && strings.HasSuffix(name, " ="):
		return name + " " + list[0]
	}
	return name + "(" + strings.Join(list, ", ") + ")"
}

// Operand puts code in parentheses if it needs them before a selector.
func Operand(code string) string {
	x, err := parser.ParseExpr(code)
	if err != nil {
		return code
	}
	switch x.(type) {
	case *ast.UnaryExpr, *ast.StarExpr, *ast.BinaryExpr, *ast.BasicLit, *ast.FuncLit:
		return "(" + code + ")"
	}
	return code
}

// InHeader returns an expression as it may stand in the header of an if statement, where a
// composite literal needs parentheses.
func InHeader(code string) string {
	parses := func(code string) bool {
		_, err := parser.ParseFile(token.NewFileSet(), "",
			"package p\nfunc _() {\nif _ = "+code+"; true {\n}\n}", 0)
		return err == nil
	}
	if inside := "(" + code + ")"; !parses(code) && parses(inside) {
		return inside
	}
	return code
}

// maxBrief is how many bytes of code [Brief] leaves as they are.
const maxBrief = 60

// Brief returns the code of a call, without the arguments if it is long. Of a function literal that
// is called, it returns what the loop there ranges over.
func Brief(code string) string {
	x, err := parser.ParseExpr(code)
	call, ok := x.(*ast.CallExpr)
	if err != nil || !ok {
		return code
	}
	if f, ok := call.Fun.(*ast.FuncLit); ok && len(f.Body.List) > 0 {
		if loop, ok := f.Body.List[0].(*ast.RangeStmt); ok {
			return "range " + code[loop.X.Pos()-1:loop.X.End()-1]
		}
	}
	if len(code) > maxBrief {
		return code[:call.Lparen] + "...)"
	}
	return code
}

// MaxReported is how many calls the report of a failure shows: the last ones.
const MaxReported = 200

// Report returns statements as the report of a failure shows them.
func Report(statements string) string {
	return "calls:\n    " + strings.ReplaceAll(strings.TrimSuffix(statements, "\n"), "\n",
		"\n    ") + "\n"
}

// OneLine returns a text with a blank in place of each stretch of white space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Flat returns Go code in one line, without the commas at the ends of lists.
func Flat(code string) string {
	if !strings.Contains(code, "\n") {
		return code
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(code))
	s.Init(file, []byte(code), nil, scanner.ScanComments)
	var flat []byte
	for end, ends := 0, ""; ; {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return string(flat)
		case tok == token.SEMICOLON && text == "\n":
			ends = ";"
			continue
		case text == "":
			text = tok.String()
		}
		gap, closes := code[end:file.Offset(pos)], text == "}" || text == ")"
		switch lines := strings.Contains(gap, "\n"); {
		case lines && closes:
			flat = bytes.TrimSuffix(flat, []byte(","))
		case lines && bytes.ContainsAny(flat[max(0, len(flat)-1):], "{("):
		case gap != "":
			flat = append(flat, ends+" "...)
		}
		flat = append(flat, text...)
		end, ends = file.Offset(pos)+len(text), ""
	}
}

// MaxResult is how many bytes of a result a report shows.
const MaxResult = 200

// Shorten cuts the text of a result to [MaxResult] bytes.
func Shorten(s string) string {
	if len(s) <= MaxResult {
		return s
	}
	end := MaxResult
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}

// PackageOf returns the import path of the package that a function is of.
func PackageOf(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	slash := strings.LastIndexByte(name, '/') + 1
	pkg, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + strings.ReplaceAll(pkg, "%2e", ".")
}
