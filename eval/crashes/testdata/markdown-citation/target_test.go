package markdown_test

import (
	"testing"

	"github.com/gomarkdown/markdown"
	"github.com/gomarkdown/markdown/parser"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte("# Title\n\nSome *text* and a [link](https://example.org).\n"))
	f.Add([]byte("* one\n* two\n\n```go\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		markdown.Parse(b, parser.NewWithExtensions(parser.CommonExtensions|parser.Mmark))
	})
}
