package apigen

import (
	"go/types"
	"strings"
)

// A standard is expressions of a type of the standard library that no generator is known for.
type standard struct {
	typ   string
	path  string   // of the package that the expressions are of, as $
	exprs []string // "$." begins a name of the package
}

var standards = []standard{
	{"error", "errors", []string{"io.EOF", `$.New("error")`}},
	{"context.Context", "context", []string{ // one that lives, one that is canceled, one with a deadline
		"$.Background()",
		"func() $.Context { ctx, cancel := $.WithCancel($.Background()); cancel(); return ctx }()",
		"func() $.Context { ctx, cancel := $.WithTimeout($.Background(), time.Millisecond); " +
			"time.AfterFunc(time.Minute, cancel); return ctx }()",
	}},
	{"io.Writer", "io", []string{"func() $.Writer { r, w := $.Pipe(); r.Close(); return w }()"}}, // it fails
	{"*bufio.Reader", "bufio", []string{`$.NewReader(strings.NewReader("a b\n1\n"))`}},
	{"*bufio.Writer", "bufio", []string{"$.NewWriter(io.Discard)"}},
	{"*bytes.Buffer", "bytes", []string{`$.NewBufferString("a b\n1\n")`}},
	{"*encoding/json.Decoder", "encoding/json", []string{
		"$.NewDecoder(strings.NewReader(`{\"a\": [1, \"b\", null]}`))",
	}},
	{"*encoding/json.Encoder", "encoding/json", []string{"$.NewEncoder(io.Discard)"}},
	{"*encoding/xml.Decoder", "encoding/xml", []string{
		"$.NewDecoder(strings.NewReader(`<a b=\"c\">d</a>`))",
	}},
	{"*encoding/xml.Encoder", "encoding/xml", []string{"$.NewEncoder(io.Discard)"}},
	{"*flag.FlagSet", "flag", []string{`$.NewFlagSet("flags", $.ContinueOnError)`}},
	{"*go/token.FileSet", "go/token", []string{"$.NewFileSet()"}},
	{"hash.Hash", "crypto/sha256", []string{"$.New()"}},
	{"hash.Hash32", "hash/fnv", []string{"$.New32a()"}},
	{"hash.Hash64", "hash/fnv", []string{"$.New64a()"}},
	{"image.Image", "image", []string{
		"$.NewGray($.Rect(0, 0, 3, 2))", "$.NewRGBA($.Rect(1, 1, 4, 4))",
	}},
	{"image/color.Color", "image/color", []string{"$.White", "$.RGBA{1, 2, 3, 4}"}},
	{"image/draw.Image", "image", []string{"$.NewRGBA($.Rect(0, 0, 3, 2))"}},
	{"io/fs.FS", "testing/fstest", []string{
		"$.MapFS{}", "$.MapFS{\"a.txt\": {Data: []byte(\"a b\\n\")}, \"b/c.txt\": {}}",
	}},
	{"*log.Logger", "log", []string{`$.New(io.Discard, "", 0)`}},
	{"log/slog.Handler", "log/slog", []string{"$.DiscardHandler"}},
	{"*log/slog.Logger", "log/slog", []string{"$.New($.DiscardHandler)"}},
	{"*math/big.Float", "math/big", []string{"$.NewFloat(1.5)", "$.NewFloat(-1e100)", "new($.Float)"}},
	{"*math/big.Rat", "math/big", []string{"$.NewRat(-1, 3)", "$.NewRat(7, 2)", "new($.Rat)"}},
	{"*math/rand.Rand", "math/rand", []string{"$.New($.NewSource(1))"}},
	{"math/rand.Source", "math/rand", []string{"$.NewSource(1)"}},
	{"*math/rand/v2.Rand", "math/rand/v2", []string{"$.New($.NewPCG(1, 2))"}},
	{"math/rand/v2.Source", "math/rand/v2", []string{"$.NewPCG(1, 2)"}},
	{"net.Addr", "net", []string{`&$.TCPAddr{IP: $.IPv4(127, 0, 0, 1), Port: 80}`}},
	{"*net.IPNet", "net", []string{
		"&$.IPNet{IP: $.IPv4(10, 1, 2, 0).To4(), Mask: $.CIDRMask(24, 32)}",
		"&$.IPNet{IP: $.IPv6loopback, Mask: $.CIDRMask(128, 128)}",
	}},
	{"net/http.Handler", "net/http", []string{"$.NotFoundHandler()"}},
	{"net/http.HandlerFunc", "net/http", []string{"$.NotFound"}},
	{"*net/http.Request", "net/http/httptest", []string{
		`$.NewRequest("GET", "http://example.com/a?b=c", nil)`,
		`$.NewRequest("POST", "/", strings.NewReader("a=b"))`,
	}},
	{"net/http.ResponseWriter", "net/http/httptest", []string{"$.NewRecorder()"}},
	{"reflect.Type", "reflect", []string{
		"$.TypeFor[int]()", "$.TypeFor[string]()", "$.TypeFor[[]byte]()",
	}},
	{"reflect.Value", "reflect", []string{
		"$.ValueOf(1)", `$.ValueOf("a")`, "$.ValueOf([]int{1})", "$.ValueOf(new(string)).Elem()",
	}},
	{"*regexp.Regexp", "regexp", []string{`$.MustCompile("a+|(b)")`, `$.MustCompile("")`}},
	{"*strings.Builder", "strings", []string{"new($.Builder)"}},
	{"*strings.Reader", "strings", []string{`$.NewReader("a b\n1\n")`}},
	{"sync.Locker", "sync", []string{"new($.Mutex)"}},
	{"*time.Location", "time", []string{"$.UTC", `$.FixedZone("east", 3600)`}},
	{"*unicode.RangeTable", "unicode", []string{"$.Letter", "$.Digit"}},
}

// standard returns expressions of a type of the standard library, unless that is tested.
func (e *enum) standard(t types.Type) (exprs []string) {
	if n := namedOf(t); n == nil || e.own(n) {
		return nil
	}
	name := types.TypeString(t, nil)
	for _, s := range standards {
		if s.typ == name {
			pkg := e.imports.named(s.path) + "."
			for _, x := range s.exprs {
				exprs = append(exprs, strings.ReplaceAll(x, "$.", pkg))
			}
		}
	}
	if name == "io/fs.FS" {
		files := e.imports.named("testing/fstest") + ".MapFS{%[1]s: {Data: %[2]s}}"
		exprs = append(exprs, e.contents(files)...)
	}
	return exprs
}

// isData reports whether a type is a struct of the standard library of which all is exported:
// numbers, texts and bools, also in such structs.
func isData(n *types.Named) bool {
	u, ok := n.Underlying().(*types.Struct)
	if !ok || n.Obj().Pkg() == nil || !isStandard(n.Obj().Pkg().Path()) {
		return false
	}
	for f := range u.Fields() {
		_, basic := f.Type().Underlying().(*types.Basic)
		part := namedOf(f.Type())
		if !f.Exported() || !basic && (part == nil || !isData(part)) {
			return false
		}
	}
	return true
}
