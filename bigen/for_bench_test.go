package bigen_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// A derived generator beside one written by hand for the same values.

type server struct {
	Name    string
	Port    uint16
	Weight  int32
	TLS     bool
	Backups []backup
	Next    *server
}

type backup struct {
	ID   uint32
	Zone int8
}

var genBackup = bigen.Struct(func(c *bigen.C, b *backup) {
	bigen.At(c, &b.ID, bigen.IntRange[uint32](0, 1<<32-1))
	bigen.At(c, &b.Zone, bigen.IntRange[int8](-128, 127))
})

var genBackups = bigen.SliceOf(genBackup, 0, 1<<30)

func genServer() bigen.Gen[*server] {
	return bigen.Pick(
		bigen.Tag("nil", bigen.Nil[server]()),
		bigen.Tag("ptr", bigen.New(func(c *bigen.C, s *server) {
			bigen.At(c, &s.Name, bigen.String(256))
			bigen.At(c, &s.Port, bigen.IntRange[uint16](0, 1<<16-1))
			bigen.At(c, &s.Weight, bigen.IntRange[int32](-1<<31, 1<<31-1))
			bigen.At(c, &s.TLS, bigen.Bool())
			bigen.At(c, &s.Backups, genBackups)
			bigen.At(c, &s.Next, bigen.Lazy(genServer))
		})),
	)
}

func BenchmarkFor(b *testing.B) {
	v := &server{
		"a", 80, 1, true, []backup{{1, 2}, {3, 4}, {5, 6}},
		&server{"b", 81, -1, false, []backup{{7, 8}}, nil},
	}
	for _, g := range []struct {
		name string
		gen  bigen.Gen[*server]
	}{
		{"derived", bigen.For[*server]()},
		{"by hand", genServer()},
	} {
		e, err := bigen.Encode(g.gen, v)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("decode/"+g.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = bigen.Decode(g.gen, e)
			}
		})
		b.Run("choices/"+g.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = bigen.Choices(g.gen, v)
			}
		})
	}
	b.Run("call", func(b *testing.B) {
		for b.Loop() {
			bigen.For[*server]()
		}
	})
}
