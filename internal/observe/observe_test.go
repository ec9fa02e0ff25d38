package observe

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// kinds are the fields of a test case in the published schema, all of them required and no
// others allowed, with the types that JSON has for them.
var kinds = map[string]func(any) bool{
	"type":           func(x any) bool { return x == "test_case" },
	"status":         func(x any) bool { return x == "passed" || x == "failed" || x == "gave_up" },
	"status_reason":  isText,
	"representation": isText,
	"arguments":      isObject,
	"how_generated":  func(x any) bool { return x == nil || isText(x) },
	"features": func(x any) bool {
		m, ok := x.(map[string]any)
		for _, v := range m {
			_, number := v.(float64)
			ok = ok && (number || isText(v)) // Tyche shows no others
		}
		return ok
	},
	"coverage": func(x any) bool { return x == nil || isObject(x) },
	"timing": func(x any) bool {
		m, ok := x.(map[string]any)
		for _, v := range m {
			n, number := v.(float64)
			ok = ok && number && n >= 0
		}
		return ok
	},
	"metadata":  isObject,
	"property":  isText,
	"run_start": func(x any) bool { _, ok := x.(float64); return ok },
}

func isText(x any) bool   { _, ok := x.(string); return ok }
func isObject(x any) bool { _, ok := x.(map[string]any); return ok }

func TestWrite(t *testing.T) {
	tree := choices.Tree{{Tag: "node", Size: 2}, {Kind: choices.Int, N: 3, Size: 1}}
	var list []Observation
	for _, s := range []job.Status{job.Valid, job.Invalid, job.Failing, job.Hanging, job.Fatal, job.Rejected} {
		list = append(list, Of("pkg FuzzX", 12.5, s, "", "1\n\xff</script>", tree, 7, []string{"a", "b"}))
	}
	list = append(list, Of("pkg FuzzX", 12.5, job.Valid, "", "2", nil, 1, []string{"c"}), Of("", 0, job.Rejected, "why", "", nil, 0, nil))
	path := filepath.Join(t.TempDir(), "dir", "file")
	require.NoError(t, Write(path, list))
	require.NoError(t, Write(path, list), "again, with what the first has added")
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	var statuses []any
	for _, line := range lines {
		var m map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		require.Len(t, m, len(kinds))
		for name, is := range kinds {
			require.True(t, is(m[name]), "%s is %v", name, m[name])
		}
		statuses = append(statuses, m["status"])
	}
	require.Equal(t, []any{"passed", "gave_up", "failed", "failed", "failed", "gave_up", "passed", "gave_up"}, statuses)
	require.Contains(t, lines[0], `"features":{"bytes":7,"choices":2,"label:a":"yes","label:b":"yes","label:c":"no","tag:node":1}`)
	require.Contains(t, lines[1], `"features":{"bytes":7,"choices":2,"label:a":"yes","label:b":"yes","tag:node":1}`, "it gave up")
	require.Contains(t, lines[6], `"features":{"bytes":1,"choices":0,"label:a":"no","label:b":"no","label:c":"yes","tag:node":0}`)

	require.NoError(t, Write(path, nil), "our own")
	require.NoError(t, Write(path, list), "an empty file")
	require.NoError(t, os.WriteFile(path, []byte("mine\n"), 0o666))
	require.ErrorContains(t, Write(path, list), "is not of this kind")
}
