package literal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// These are spellings of reflect for which no type of the standard library will do.
func TestRewriteTypeArguments(t *testing.T) {
	tn := newTypeNames("example.com/a.b/own")
	for in, want := range map[string]string{
		"[example.com/a.b/own.T]":                            "[T]",
		"[*example.com/a.b/own.T·12]":                        "[*T]",
		"[main.T·1,int]":                                     "[main.T, int]",
		"[gopkg.in/yaml%2ev3.Node]":                          "[yaml.Node]",
		"[example.com/x/v2.T]":                               "[x.T]",
		"[example.com/go-x.T]":                               "[x.T]",
		"[example.com/x-y/z-w.T]":                            "[z.T]",
		"[example.com/9.T]":                                  "[T]",
		"[func(...example.com/x.T) example.com/x.U]":         "[func(...x.T) x.U]",
		"[chan<- <-chan map[a/b.K][2]a/b.V]":                 "[chan<- <-chan map[b.K][2]b.V]",
		"[interface { a/b.m() a/b.T; M() }]":                 "[interface { m() b.T; M() }]",
		"[struct { B = a/b.B[a/c.C]; *a/b.T; a/b.x a/b.T }]": "[struct { b.B[c.C]; *b.T; x b.T }]",
		`[struct { a/b.T "\"a/b.T; }" }]`:                    `[struct { b.T "\"a/b.T; }" }]`,
	} {
		require.Equal(t, want, tn.arguments(in), in)
	}
}
