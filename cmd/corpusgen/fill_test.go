package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/espalier-go/espalier/internal/corpus"
)

// fill shared writes the corpora of two machines. `fill inputs N DIR` writes N entries to DIR, and
// files of libFuzzer.
func fill(ts *testscript.TestScript, neg bool, args []string) {
	switch {
	case !neg && len(args) == 1 && args[0] == "shared":
		fillShared(ts)
	case !neg && len(args) == 3 && args[0] == "inputs":
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		fillInputs(ts, n, args[2])
	default:
		ts.Fatalf("usage: fill shared, or fill inputs N DIR")
	}
}

func fillShared(ts *testscript.TestScript) {
	const seeds, one, two = "testdata/fuzz/", "one/fuzz/example.com/user/",
		"two/fuzz/example.com/user/"
	for i := range 40 {
		writeEntry(ts, seeds+"FuzzMany", fmt.Sprintf("[]byte(\"%d\")\n", i))
	}
	for name, text := range map[string]string{
		"abc": "abc", "crash": "abXY", "other": "cdXY", "short": "a",
		seeds + "FuzzBytes/seed":  "go test fuzz v1\n[]byte(\"abc\")\n",
		one + "FuzzBytes/cached1": "go test fuzz v1\n[]byte(\"one\")\n",
		two + "FuzzBytes/cached2": "go test fuzz v1\n[]byte(\"two\")\n",
		two + "FuzzTwo/cached2":   "go test fuzz v1\nint16(3)\nstring(\"x\")\n",
	} {
		writeFile(ts, name, text)
	}
}

func fillInputs(ts *testscript.TestScript, n int, dir string) {
	for name, text := range map[string]string{
		"abc":       "abc",
		"crash-1":   "bad!",
		"timeout-2": "slow",
		"leak-3":    "abc",
		"oom-4":     "large",
	} {
		writeFile(ts, name, text)
	}
	writeFile(ts, "some/large", "")
	ts.Check(os.Truncate(ts.MkAbs("some/large"), corpus.MaxFile+1))

	for i := range n {
		text := fmt.Sprintf("\\%d\x00\xff", i*i)
		float := fmt.Sprint(float32(i) / 3)
		if i%10 == 0 {
			float = []string{"NaN", "-Inf", "+Inf", "-0"}[i/10%4]
		}
		writeEntry(ts, dir,
			fmt.Sprintf("uint32(%d)\nstring(%q)\nfloat32(%s)\n[]byte(%q)\nint32(%d)\nbool(%t)\n", i,
				text, float, text[i%len(text):], -i-1, i%2 == 0))
	}
}

// writeEntry writes an entry with arguments, one in a line.
func writeEntry(ts *testscript.TestScript, dir, args string) {
	file := "go test fuzz v1\n" + args
	writeFile(ts, filepath.Join(dir, corpus.NameOf([]byte(file))), file)
}

func writeFile(ts *testscript.TestScript, name, text string) {
	path := ts.MkAbs(name)
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
	ts.Check(os.WriteFile(path, []byte(text), 0o666))
}
