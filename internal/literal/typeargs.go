package literal

import (
	"go/token"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// Type arguments, which reflect has in the name of a type only as text, differ from Go, as in
// [map[string]example.com/box.T·1,struct { B = example.com/box.B[int]; example.com/box.x int }]:
//
//   - Types, fields and methods have the whole path of their package, and types that are declared
//     in a function have a number.
//   - A struct names its embedded fields that have arguments.
//   - There are no spaces between arguments.
const (
	argumentTag  = `"(?:[^"\\]|\\.)*"` // in which nothing changes
	argumentName = `[\pL\d_%~+@!$&'][\pL\d_./%~+@!$&'·-]*`
)

// argumentMembers matches the names of fields and methods, and argumentParts everything else
// that differs.
var (
	argumentMembers = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(` + argumentTag + `)|([{;] )(?:` + argumentName + ` = |` +
			argumentName + `\.([\pL_][\pL\d_]*)( [^"}]|\())`)
	})
	argumentParts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(argumentTag + `|interface \{\}|struct \{\}|, ?|` + argumentName)
	})
)

// arguments returns type arguments as they are written in Go.
func (tn *typeNames) arguments(args string) string {
	if args == "" {
		return ""
	}
	args = argumentMembers().ReplaceAllString(args, "$1$2$3$4")
	return argumentParts().ReplaceAllStringFunc(args, func(part string) string {
		dot := strings.LastIndexByte(part, '.')
		switch {
		case part == "interface {}":
			return "any"
		case part == "struct {}":
			return "struct{}"
		case part[0] == ',':
			return ", "
		case part[0] == '"' || dot < 0:
			return part
		}
		path := part[:dot]
		name, _, _ := strings.Cut(part[dot+1:], "·")
		if p, err := url.PathUnescape(path); err == nil {
			path = p
		}
		tn.foreign = tn.foreign || path != tn.pkg && !token.IsExported(name)
		return tn.qualifier(path, assumedName(path)) + name
	})
}
