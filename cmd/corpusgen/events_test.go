package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/corpora"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/stats"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/strength"
	"github.com/stretchr/testify/require"
)

// docs/events.md names all events and their fields.
func TestEventsAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "events.md"))
	require.NoError(t, err)
	page := string(text)

	paths, err := filepath.Glob("internal/*/*.go")
	require.NoError(t, err)
	names := regexp.MustCompile(`[tT](?:arget)?\.(?:Head|EntryEvent)\("(\w+)"`)
	found := 0
	for _, path := range paths {
		if strings.Contains(path, "campaign") {
			continue // has a chapter of its own
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range names.FindAllStringSubmatch(string(source), -1) {
			found++
			require.Contains(t, page, "`"+m[1]+"`", path)
		}
	}
	require.Greater(t, found, 10)

	for _, e := range []any{session.EntryEvent{}, session.EntriesEvent{}, coverage.MinEvent{},
		coverage.CoverEvent{}, coverage.CoverDiffEvent{}, corpora.DiffEvent{}, stats.StatsEvent{},
		strength.MistakeEvent{}, strength.StrengthEvent{}} {
		for _, name := range fieldsOf(reflect.TypeOf(e), map[reflect.Type]bool{}) {
			require.Contains(t, page, "`"+name+"`", "%T", e)
		}
	}
}

// fieldsOf returns the names of the fields that JSON of a type has, without the fields of trees.
func fieldsOf(t reflect.Type, seen map[reflect.Type]bool) (names []string) {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.PkgPath() == "time" || seen[t] {
		return nil
	}
	seen[t] = true
	for _, f := range reflect.VisibleFields(t) {
		switch {
		case strings.HasSuffix(f.Type.String(), "job.Tree"):
		case f.Anonymous:
			names = append(names, fieldsOf(f.Type, seen)...)
		case f.IsExported():
			names = append(append(names, f.Name), fieldsOf(f.Type, seen)...)
		}
	}
	return names
}
