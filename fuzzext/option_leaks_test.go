package fuzzext

import (
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/stretchr/testify/require"
)

func TestNoLeaks(t *testing.T) {
	forever := make(chan bool)
	t.Cleanup(func() { close(forever) })
	cases := []struct {
		name string
		prop func(t *T)
		want string
	}{
		{"none", func(*T) {}, ""},
		{"one that ends later", func(*T) { go time.Sleep(leakTime / 10) }, ""},
		{"one that a cleanup ends", func(t *T) {
			stop := make(chan bool)
			go func() { <-stop }()
			t.Cleanup(func() { close(stop) })
		}, ""},
		{"one that the context ends", func(t *T) {
			ctx := t.Context()
			go func() { <-ctx.Done() }()
		}, ""},
		{"one", func(*T) { go func() { <-forever }() }, "the run has left a goroutine behind:\n"},
		{"one of another", func(*T) { go func() { go func() { <-forever }() }() },
			"the run has left a goroutine behind:\n"},
		{"two", func(*T) { go func() { <-forever }(); go func() { <-forever }() },
			"the run has left 2 kinds of goroutines behind:\n"},
		{"of a run that has failed", func(t *T) { go func() { <-forever }(); t.Error("first") }, "first"},
		{"of an invalid run", func(t *T) { go func() { <-forever }(); t.Assume(false) }, ""},
	}
	got := runs(t, len(cases), func(t *T, v int) {
		leakless(func(t *T, v any) { cases[v.(int)].prop(t) })(t, v)
	})
	for i, r := range cases {
		require.Contains(t, got[i].log, r.want, r.name)
		require.Equal(t, r.want != "", got[i].failed, r.name)
		if r.want != "" && r.want != "first" {
			require.Regexp(t, `^goroutine at option_leaks_test\.go:\d+$`, got[i].where, r.name)
			require.Contains(t, got[i].log, "fuzzext.TestNoLeaks.func")
		}
	}
	require.True(t, slices.ContainsFunc(got, func(o left) bool { return o.invalid }))
}
