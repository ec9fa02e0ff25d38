//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/corpus"
)

func init() {
	moreCommands["hostile"] = hostile
}

// malformed returns files that are not corpus entries.
func malformed() map[string]string {
	return map[string]string{
		"empty":           "",
		"newline":         "\n",
		"header":          "go test fuzz v1",
		"header only":     "go test fuzz v1\n",
		"later version":   "go test fuzz v2\n[]byte(\"x\")\n",
		"lower":           "GO TEST FUZZ V1\n[]byte(\"x\")\n",
		"bom":             "\ufeffgo test fuzz v1\n[]byte(\"x\")\n",
		"utf16":           "g\x00o\x00 \x00t\x00e\x00s\x00t\x00",
		"string":          "go test fuzz v1\nstring(\"x\")\n",
		"two":             "go test fuzz v1\n[]byte(\"x\")\n[]byte(\"y\")\n",
		"open":            "go test fuzz v1\n[]byte(\"x",
		"expression":      "go test fuzz v1\n[]byte(\"a\"+\"b\")\n",
		"make":            "go test fuzz v1\nmake([]byte, 1<<30)\n",
		"claim":           "go test fuzz v1\n[1073741824]byte{}\n",
		"parentheses":     "go test fuzz v1\n" + strings.Repeat("(", 100_000) + "\n",
		"nested":          "go test fuzz v1\n" + strings.Repeat("[]byte(", 50_000) + "\n",
		"nul":             "go test fuzz v1\n\x00\n",
		"$(touch pwned)":  "$(touch pwned)",
		"-fuzz":           "-fuzz",
		"%s%n":            "%s%n%d",
		"new\nline":       "x",
		"\x1b[31mred":     "\x1b[31mred",
		"..hidden":        "..",
		"\xff\xfe":        "\xff",
		"name.zip.tar":    "PK\x03\x04",
		"binary":          "\x7fELF\x00\x01\x02",
		"braces":          "{" + strings.Repeat("[", 100_000),
		"number":          "1e999999999",
		"a very long one": strings.Repeat("x", 1<<20),
	}
}

// wild returns entries whose bytes no generator has written.
func wild() map[string]string {
	return map[string]string{
		"claims":  strings.Repeat("\xff", 64),
		"deep":    strings.Repeat("\xb8\x51", 50_000),
		"records": strings.Repeat("\x80\x4a", 1000),
		"nothing": "",
	}
}

// manyWild is how many entries without names `hostile DIR many` makes.
const manyWild = 200

// hostile DIR makes files in DIR on which a program could fail. `hostile DIR KIND` makes one:
// a pipe, a link that is broken, a link to itself, a file of 1 GB, or many wild entries.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: hostile DIR [pipe|broken|loop|large|many]")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	if len(args) == 1 {
		for name, text := range malformed() {
			ts.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		for name, data := range wild() {
			ts.Check(os.WriteFile(filepath.Join(dir, name), corpus.Marshal([]byte(data)), 0o666))
		}
		ts.Check(os.Mkdir(filepath.Join(dir, "0123456789abcdef"), 0o777))
		return
	}
	path := filepath.Join(dir, args[1])
	switch args[1] {
	case "pipe":
		ts.Check(syscall.Mkfifo(path, 0o666))
	case "broken":
		ts.Check(os.Symlink("/nowhere/../etc", path))
	case "loop":
		ts.Check(os.Symlink(args[1], path))
	case "many":
		for i := range manyWild {
			data := []byte{0x90, byte(i), byte(i * 7)}
			ts.Check(os.WriteFile(filepath.Join(dir, corpus.Name(data)), corpus.Marshal(data), 0o666))
		}
	case "large":
		ts.Check(os.WriteFile(path, nil, 0o666))
		ts.Check(os.Truncate(path, 1<<30))
	}
}
