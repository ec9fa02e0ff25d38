package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/eval/others"
)

// Each service has a version, and a file that makes it.
func TestServices(t *testing.T) {
	for _, s := range services() {
		require.Regexp(t, `^v\d`, s.version, s.name)
		text, err := tests.ReadFile("testdata/" + s.name + "_test.go")
		require.NoError(t, err)
		require.Contains(t, string(text), "\nfunc newHandler(")
	}
	require.Len(t, services(), 6)
}

// A report has what each arm reaches, and the classes of failures.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	text, err := json.Marshal(result{Statements: 9, Arms: []run{{Reached: 1}, {Note: "it ends"}, {Reached: 3}},
		Random: random{Reached: 2, Classes: []string{"a"}},
		Check:  check{Succeeded: "2", Operations: "4", Classes: []string{"idempotence: PUT /a"}}})
	require.NoError(t, err)
	require.NoError(t, others.Write(filepath.Join(dir, "petstore-chi.json"), string(text)))
	var out strings.Builder
	require.NoError(t, printReport(&out, dir, regexp.MustCompile(""), true))
	require.Contains(t, out.String(), "| petstore-chi | 9 | 1 | - | 3 | 2 | 2 of 4 | 1 | 1 |\n")
	require.Contains(t, out.String(), "petstore-chi, FuzzService, go test -fuzz: it ends\n")
	require.Contains(t, out.String(), "petstore-chi: idempotence: PUT /a\n")
}
