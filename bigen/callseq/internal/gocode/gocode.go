// Package gocode is what the reports of callseq, and of packages below it, have in common.
package gocode

import (
	"go/ast"
	"go/parser"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

// builtins are the functions of Go whose results must be used.
var builtins = []string{"append", "cap", "complex", "imag", "len", "make", "max", "min", "new", "real"}

// AsStatement assigns code to _ if it is an expression that is no statement.
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
		case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.InterfaceType, *ast.ParenExpr: // conversions
		default:
			return code
		}
	}
	return "_ = " + code
}

// OneLine returns a text with a blank in place of each stretch of white space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

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
