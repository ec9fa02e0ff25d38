// Command found has defects that Espalier has found in public modules, each as a few lines of Go
// that need no Espalier. The versions are in go.mod. The tests show each defect again:
//
//	ESPALIER_LONG=1 go test .
//
// The command prints the table and the code of docs/found.md. With the name of a defect, it shows
// that one:
//
//	go run . [NAME]
package main

import (
	"bytes"
	"embed"
	"fmt"
	"go/version"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

//go:embed panics.go results.go hang.go
var code embed.FS

func main() {
	if len(os.Args) == 1 {
		fmt.Print(markdown())
		return
	}
	for _, d := range defects {
		if d.name == os.Args[1] {
			fmt.Println(d.show())
			return
		}
	}
	fmt.Fprintf(os.Stderr, "found: there is no defect %s: the last column of the table names them\n",
		os.Args[1])
	os.Exit(2)
}

// markdown returns the table of defects, and the code that shows them.
func markdown() string {
	var b strings.Builder
	b.WriteString("| package | what is wrong | the property that failed | code |\n")
	b.WriteString("| --- | --- | --- | --- |\n")
	for _, d := range defects {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", d.where(), d.what, d.by, d.name)
	}
	for _, part := range []struct{ title, file string }{
		{"Panics", "panics.go"}, {"Results", "results.go"}, {"A call that does not return", "hang.go"},
	} {
		text, err := code.ReadFile(part.file)
		if err != nil {
			panic(err) // it is embedded
		}
		text = text[bytes.Index(text, []byte("\nfunc "))+1:]
		fmt.Fprintf(&b, "\n## %s\n\n```go\n%s```\n", part.title, text)
	}
	return b.String()
}

// where returns the package and its version.
func (d *defect) where() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		panic("found: the go command has not built this")
	}
	for _, m := range info.Deps {
		if d.path == m.Path || strings.HasPrefix(d.path, m.Path+"/") {
			return strings.TrimPrefix(d.path, "github.com/") + " " + m.Version
		}
	}
	return d.path + " of " + version.Lang(runtime.Version())
}
