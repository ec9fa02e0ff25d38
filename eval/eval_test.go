package main

import (
	"os"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/eval/bugs"
)

func TestMain(m *testing.M) {
	if text := os.Getenv(orderEnv); text != "" {
		obey(text)
		return
	}
	os.Exit(m.Run())
}

// Each bug says what it is, and both tools can search for it.
func TestBugs(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range bugs.All() {
		if seen[b.Name] || !strings.Contains(b.Name, "/") || b.Title == "" || b.Source == "" {
			t.Errorf("bug %q is named twice, or lacks a title or a source", b.Name)
		}
		seen[b.Name] = true
	}
}

// A search in a process of its own tells what it has found.
func TestSearch(t *testing.T) {
	b, ok := bugs.Named("bitset/4")
	if !ok {
		t.Fatal("no bug bitset/4")
	}
	r, err := searchFor(b, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append(r.Check, r.Rapid...) {
		if !s.Found || s.Values < 1 || s.Values > 1000 || s.Size < len("pair{}") || s.CPU <= 0 {
			t.Errorf("%+v", s)
		}
	}
	b.Name = "none/1"
	if _, err := searchFor(b, 1); err == nil || !strings.Contains(err.Error(), "no bug none/1") {
		t.Errorf("a search for no bug: %v", err)
	}
}
