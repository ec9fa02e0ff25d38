package bigenio

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/espalier-go/espalier/bigen"
)

// A TarEntry is one entry of a tar archive. Owner and time are zero.
type TarEntry struct {
	Type byte // tar.TypeReg, TypeDir, TypeSymlink or TypeLink
	Name string
	Link string // what a link leads to
	Mode int64
	Data []byte // of a file
}

// A TarArchive has the entries of a tar archive, in order.
type TarArchive []TarEntry

// Bytes returns the archive as [tar.Writer] writes it. It panics if the format has no such entries,
// as for a name with a zero byte; it has all that [Tar] makes.
func (a TarArchive) Bytes() []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range a {
		err := w.WriteHeader(e.header())
		if err == nil {
			_, err = w.Write(e.Data)
		}
		if err != nil {
			panic(fmt.Sprintf("bigenio: the entry %q: %v", e.Name, err))
		}
	}
	if err := w.Close(); err != nil {
		panic("bigenio: " + err.Error())
	}
	return b.Bytes()
}

func (e *TarEntry) header() *tar.Header {
	return &tar.Header{
		Typeflag: e.Type,
		Name:     e.Name,
		Linkname: e.Link,
		Mode:     e.Mode,
		Size:     int64(len(e.Data)),
	}
}

// ReadTar returns the entries of an archive, as seeds for [Tar]. Types other than the types of a
// TarEntry, and owners and times, make no difference. The error comes from a [tar.Reader].
func ReadTar(r io.Reader) (TarArchive, error) {
	var a TarArchive
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return a, nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return nil, err
		}
		e := TarEntry{Type: h.Typeflag, Name: h.Name, Link: h.Linkname, Mode: h.Mode}
		if h.Typeflag == tar.TypeReg {
			if e.Data, err = io.ReadAll(t); err != nil {
				return nil, err
			}
		}
		a = append(a, e)
	}
}

// The bounds of an archive.
const (
	maxEntries = 20
	maxData    = 2000 // bytes of a file
)

// Tar makes archives of up to 20 files, directories, symbolic and hard links, in any order. They
// have what code that extracts archives must be prepared for: names and links that lead out of the
// archive, as ../x and /x do, names below an earlier entry, also a link or a file, names that occur
// twice, are longer than 100 bytes, or any text. Backward, it reads such entries, also entries of
// [ReadTar].
//
// To make archives of directories as they are usual, use [Files] and [tar.Writer.AddFS].
func Tar() bigen.Gen[TarArchive] {
	name := bigen.Pick(
		bigen.Tag("file", bigen.Matching(`[a-c]{1,2}(\.txt)?`)),
		bigen.Tag("path", bigen.Matching(`[a-c]{1,2}(/[a-c]{1,2}){1,3}`)),
		bigen.Tag("odd",
			bigen.Matching(
				`(\.\./){1,2}[a-c]|/[a-c](/\.\.){0,2}|\.{0,2}|a//b|[a-c]/|[a-c]{90,120}`)).Weight(0.5),
		bigen.Tag("any", bigen.String(40)).Weight(0.2))
	target := bigen.Pick(
		bigen.Tag("out", bigen.Matching(`(\.\./){0,2}\.\.|/|/tmp(/[a-c])?`)),
		bigen.Tag("name", name))
	return bigen.As[TarArchive](bigen.SliceBy(func(before []TarEntry) (bigen.Gen[TarEntry], bool) {
		names := name
		if len(before) > 0 {
			earlier := make([]string, len(before))
			for i, e := range before {
				earlier[i] = e.Name
			}
			names = bigen.Pick(bigen.Tag("new", name).Weight(2), bigen.Tag("below", below(earlier)))
		}
		entry := bigen.Struct(func(c *bigen.C, e *TarEntry) {
			bigen.At(c, &e.Type, bigen.OneOf[byte](tar.TypeReg, tar.TypeDir, tar.TypeSymlink, tar.TypeLink))
			bigen.At(c, &e.Name, names)
			bigen.At(c, &e.Mode, bigen.OneOf[int64](0o644, 0o755, 0, 0o4755))
			switch e.Type {
			case tar.TypeReg:
				bigen.At(c, &e.Data, bigen.Bytes(0, maxData))
			case tar.TypeSymlink, tar.TypeLink:
				bigen.At(c, &e.Link, target)
			}
		})
		return bigen.SuchThat(entry, writable, TarEntry{Type: tar.TypeReg, Name: "a", Mode: 0o644}), true
	}, 0, maxEntries))
}

// below makes names below earlier ones, and those again.
func below(earlier []string) bigen.Gen[string] {
	type path struct{ Dir, Base string }
	g := bigen.Struct(func(c *bigen.C, p *path) {
		bigen.At(c, &p.Dir, bigen.OneOf(earlier...))
		bigen.At(c, &p.Base, bigen.Matching(`(/[a-c])?`))
	})
	return bigen.Iso(g, func(p path) string { return p.Dir + p.Base }, func(name string) (path, bool) {
		if n := len(name) - 2; n >= 0 && name[n] == '/' {
			return path{name[:n], name[n:]}, true
		}
		return path{name, ""}, true
	})
}

// writable reports whether the format has such an entry. Names have no zero bytes, for example.
func writable(e TarEntry) bool { return tar.NewWriter(io.Discard).WriteHeader(e.header()) == nil }
