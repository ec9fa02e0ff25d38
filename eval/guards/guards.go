package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/espalier-go/espalier/eval/others"
)

// A guard is a function of package guard, and how it tests a part of a record.
type guard struct{ Name, Value, What string }

var guards = []guard{
	{"Contains", "Contains(r.Name)", "strings.Contains"},
	{"Index", "Index(r.Name)", "strings.Index, not at the beginning"},
	{"Prefix", "Prefix(r.Name)", "strings.HasPrefix of a variable"},
	{"MapKey", `MapKey(strings.Join(r.Words, " "))`, "a key of a map, one of several words"},
	{"Switch", "Switch(r.Name)", "a switch over texts"},
	{"Table", "Table(r.Name)", "strings.HasPrefix of texts in a table"},
	{"BigEndian", "IsMagic(r.Code)", "an integer of 4 bytes, big-endian"},
	{"LittleEndian", "IsLong(r.Number)", "an integer of 8 bytes, little-endian"},
	{"Length", "IsLength(r.Size, r.Data)", "the length of what follows"},
	{"Checksum", "IsChecksum(r.Code, r.Data)", "the CRC-32 of what comes before"},
	{"Rune", "IsSymbol(r.Symbol)", "a character of three bytes"},
	{"Fold", "Fold(r.Name)", "strings.EqualFold"},
	{"Signature", "Signature(string(r.Data))", "bytes.Equal"},
	{"Member", "Member(r.Name)", "slices.Contains"},
	{"Search", "Search(r.Name)", "sort.SearchStrings"},
	{"KeyType", "IsVersion(r.Size, r.Minor)", "a key of a map, of a struct type"},
	{"Scan", "Scan(r.Name)", "fmt.Sscanf"},
	{"Number", "Number(r.Name)", "strconv.Atoi, compared"},
	{"Pattern", "Pattern(r.Name)", "regexp.MatchString"},
	{"Sequence", "Sequence(r.Name)", "three guards in turn"},
}

// kinds are what a target's input is: bytes, a text, or a record of a generator.
var kinds = []string{"Bytes", "Text", "Value"}

// module is the path of the module of the targets.
const module = "example.com/guard"

//go:embed guard/guard.go
var source string

// targets is the file of the targets. A target that passes its guard says so by a file where
// engines write failures, as soon as that happens: engines take some time until they write theirs.
var targets = template.Must(template.New("").Parse(`package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

var gen = bigen.For[Record]()

func check(t testing.TB, target string, passed bool) {
	if passed {
		dir := filepath.Join("testdata", "fuzz", target)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "passed"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		t.Fatal("passed")
	}
}
{{range .}}
// Fuzz{{.Name}}Bytes passes the guard by bytes.
func Fuzz{{.Name}}Bytes(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { check(t, "Fuzz{{.Name}}Bytes", {{.Name}}(string(b))) })
}

// Fuzz{{.Name}}Text passes it by a text.
func Fuzz{{.Name}}Text(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { check(t, "Fuzz{{.Name}}Text", {{.Name}}(s)) })
}

// Fuzz{{.Name}}Value passes it by a value of a generator.
func Fuzz{{.Name}}Value(f *testing.F) {
	f.Fuzz(fuzzext.Valid(gen, func(t *fuzzext.T, r Record) {
		check(t, "Fuzz{{.Name}}Value", {{.Value}})
	}))
}
{{end}}`))

// write writes the module of the targets to a directory, which it replaces.
func write(dir, espalier string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var tests strings.Builder
	if err := targets.Execute(&tests, guards); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"guard.go":        source,
		"targets_test.go": tests.String(),
		"go.mod": "module " + module + "\n\ngo 1.26.0\n\nrequire " + others.Espalier +
			" v0.0.0\n\nreplace " + others.Espalier + " => " + espalier + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
