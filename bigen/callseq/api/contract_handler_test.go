package api_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// dropsGroups is a handler that forgets groups.
type dropsGroups struct{ slog.Handler }

func (h dropsGroups) WithGroup(string) slog.Handler { return h }

func (h dropsGroups) WithAttrs(as []slog.Attr) slog.Handler {
	return dropsGroups{h.Handler.WithAttrs(as)}
}

// discards is a handler that writes nothing.
type discards struct{ slog.Handler }

func (h discards) Handle(context.Context, slog.Record) error { return nil }
func (h discards) WithAttrs([]slog.Attr) slog.Handler        { return h }
func (h discards) WithGroup(string) slog.Handler             { return h }

func TestHandlers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		make  func(w io.Writer, o *slog.HandlerOptions) slog.Handler
		class string
	}{
		{"JSON", func(w io.Writer, o *slog.HandlerOptions) slog.Handler { return slog.NewJSONHandler(w, o) }, ""},
		{"text", func(w io.Writer, o *slog.HandlerOptions) slog.Handler { return slog.NewTextHandler(w, o) }, ""},
		{"none", func(w io.Writer, o *slog.HandlerOptions) slog.Handler { return discards{slog.NewJSONHandler(w, o)} }, ""},
		{"drops groups", func(w io.Writer, o *slog.HandlerOptions) slog.Handler {
			return dropsGroups{slog.NewJSONHandler(w, o)}
		}, "contract slogtest.TestHandler of handler: "},
	} {
		a := api.New(func(c *api.C) {
			buffers := api.Type[*bytes.Buffer](c, "buffer")
			writers := api.Type[io.Writer](c, "writer")
			api.Assign(writers, buffers, func(b *bytes.Buffer) io.Writer { return b })
			handlers := api.Type[slog.Handler](c, "handler")
			options := api.Type[*slog.HandlerOptions](c, "options", api.Expr("&slog.HandlerOptions{Level: slog.LevelError}", &slog.HandlerOptions{Level: slog.LevelError}), api.Expr[*slog.HandlerOptions]("nil", nil))
			c.Op("new(bytes.Buffer)", func() {
				b := buffers.Result()
				c.Do(func() { b.V = new(bytes.Buffer); c.Got(b) })
			})
			c.Op("New", func() {
				w, o, h := writers.Arg("w"), options.Arg("o"), handlers.Result()
				c.Do(func() { h.V = test.make(w.V, o.V); c.Got(h) })
			}).When(writers.Any)
			c.Op("handler.WithGroup", func() {
				h, r := handlers.Arg("handler"), handlers.Result()
				c.Do(func() { r.V = h.V.WithGroup("g"); c.Got(r) })
			}).When(handlers.Any)
		})
		s := a.Generate(api.Options{Sequences: 100, MaxRegressions: -1})
		require.Empty(t, s.Flaky, test.name)
		if test.class == "" {
			require.Empty(t, s.Errors, test.name)
			continue
		}
		require.Len(t, s.Errors, 1, test.name)
		require.Contains(t, s.Errors[0].Class, test.class, test.name)
		require.Contains(t, s.Errors[0].Code, "buffer1 := new(bytes.Buffer)\nhandler1 := New(buffer1, nil)\nbuffer1.Reset()\nif err := slogtest.TestHandler(handler1, func()", test.name)
		require.NotEmpty(t, output(a, s.Errors[0].Calls), test.name)
	}
}
