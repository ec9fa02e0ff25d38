// Package lz4 has bugs of github.com/pierrec/lz4.
package lz4

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/pierrec/lz4/v4"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/lz4"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[[]string]{
		Name:   "lz4/7",
		Title:  "a legacy block that is compressed to as many bytes as came before it ends the stream",
		Source: source,
		Gen:    bigen.SliceOf(genText, 1, mostParts),
		Rapid: func(t *rapid.T) []string {
			return rapid.SliceOfN(rapidText, 1, mostParts).Draw(t, "chunks")
		},
		Fails: func(chunks []string) string {
			var b bytes.Buffer
			w := writer(&b, lz4.LegacyOption(true))
			for _, c := range chunks {
				write(w, c)
				if err := w.Flush(); err != nil {
					panic(err)
				}
			}
			finish(w)
			return mismatch(strings.Join(chunks, ""), func() ([]byte, error) {
				return io.ReadAll(lz4.NewReader(&b))
			})
		},
	}),
	bug.NewSequences(bug.Sequences{
		Name:   "lz4/8",
		Title:  "ReadFrom fails unless it is the first call of a Writer",
		Source: source,
		Model:  writerCalls,
		Rapid:  rapidWriter,
	}),
	bug.New(bug.Spec[[]frame]{
		Name:   "lz4/9",
		Title:  "a legacy frame must not be followed by another kind of frame",
		Source: source,
		Gen:    genFrames,
		Rapid:  rapidFrames,
		Fails: func(frames []frame) string {
			stream, text := build(frames)
			return mismatch(text, func() ([]byte, error) { return io.ReadAll(lz4.NewReader(stream)) })
		},
	}),
	bug.New(bug.Spec[[]frame]{
		Name:   "lz4/11",
		Title:  "WriteTo drops the blocks of a frame that has larger blocks than the first",
		Source: source,
		Gen:    genFrames,
		Rapid:  rapidFrames,
		Fails: func(frames []frame) string {
			for _, f := range frames {
				if f.Legacy { // lz4/9
					return ""
				}
			}
			stream, text := build(frames)
			return mismatch(text, func() ([]byte, error) {
				var b bytes.Buffer
				_, err := lz4.NewReader(stream).WriteTo(&b)
				return b.Bytes(), err
			})
		},
	}),
}

func mismatch(want string, read func() ([]byte, error)) string {
	got, err := read()
	if err != nil || string(got) != want {
		return fmt.Sprintf("read %q, %v; want %q", got, err, want)
	}
	return ""
}

func writer(w io.Writer, opts ...lz4.Option) *lz4.Writer {
	z := lz4.NewWriter(w)
	if err := z.Apply(opts...); err != nil {
		panic(err)
	}
	return z
}

func write(w *lz4.Writer, text string) {
	if _, err := w.Write([]byte(text)); err != nil {
		panic(err)
	}
}

func finish(w *lz4.Writer) {
	if err := w.Close(); err != nil {
		panic(err)
	}
}

// A frame is one of a stream.
type frame struct {
	Legacy bool
	Blocks lz4.BlockSize
	Text   string
}

func build(frames []frame) (stream io.Reader, text string) {
	var b bytes.Buffer
	for _, f := range frames {
		w := writer(&b, lz4.LegacyOption(f.Legacy))
		if !f.Legacy {
			w = writer(&b, lz4.BlockSizeOption(f.Blocks))
		}
		write(w, f.Text)
		finish(w)
		text += f.Text
	}
	return &b, text
}

var sizes = []lz4.BlockSize{lz4.Block64Kb, lz4.Block256Kb, lz4.Block1Mb, lz4.Block4Mb}

const (
	mostParts = 5
	mostText  = 40
)

var (
	genText   = bigen.Matching(fmt.Sprintf("[a-c]{0,%d}", mostText))
	genFrames = bigen.SliceOf(bigen.Struct(func(c *bigen.C, f *frame) {
		bigen.At(c, &f.Legacy, bigen.Bool())
		bigen.At(c, &f.Blocks, bigen.OneOf(sizes...))
		bigen.At(c, &f.Text, genText)
	}), 1, mostParts)
)

var rapidText = rapid.StringMatching(fmt.Sprintf("[a-c]{0,%d}", mostText))

func rapidFrames(t *rapid.T) []frame {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) frame {
		return frame{
			Legacy: rapid.Bool().Draw(t, "Legacy"),
			Blocks: rapid.SampledFrom(sizes).Draw(t, "Blocks"),
			Text:   rapidText.Draw(t, "Text"),
		}
	}), 1, mostParts).Draw(t, "frames")
}

var writerCalls = callseq.New(func(c *callseq.C) {
	var b bytes.Buffer
	var w *lz4.Writer
	text := ""
	c.Do(func() { w = writer(&b, lz4.BlockSizeOption(lz4.Block64Kb)) })
	c.Op("w.Write", func() {
		s := callseq.Arg(c, "s", genText)
		text += s
		c.Want(len(s), error(nil))
		c.Do(func() { c.Got(w.Write([]byte(s))) })
	})
	c.Op("w.ReadFrom", func() {
		s := callseq.Arg(c, "s", genText)
		text += s
		c.Want(int64(len(s)), error(nil))
		c.Do(func() { c.Got(w.ReadFrom(strings.NewReader(s))) })
	})
	c.Op("w.Flush", func() {
		c.Want(error(nil))
		c.Do(func() { c.Got(w.Flush()) })
	})
	c.End(func() {
		finish(w)
		if what := mismatch(text,
			func() ([]byte, error) { return io.ReadAll(lz4.NewReader(&b)) }); what != "" {
			c.Errorf("%s", what)
		}
	})
})

func rapidWriter(t *rapid.T, calls *int) {
	var b bytes.Buffer
	w := writer(&b, lz4.BlockSizeOption(lz4.Block64Kb))
	text := ""
	t.Repeat(map[string]func(*rapid.T){
		"Write": func(t *rapid.T) {
			*calls++
			s := rapidText.Draw(t, "s")
			text += s
			if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
				t.Fatal(n, err)
			}
		},
		"ReadFrom": func(t *rapid.T) {
			*calls++
			s := rapidText.Draw(t, "s")
			text += s
			if n, err := w.ReadFrom(strings.NewReader(s)); n != int64(len(s)) || err != nil {
				t.Fatal(n, err)
			}
		},
		"Flush": func(t *rapid.T) {
			*calls++
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		},
	})
	finish(w)
	if what := mismatch(text,
		func() ([]byte, error) { return io.ReadAll(lz4.NewReader(&b)) }); what != "" {
		t.Fatal(what)
	}
}
