package bigenio

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"

	"github.com/espalier-go/espalier/bigen"
)

// The bounds of an archive.
const (
	maxEntries = 20
	maxData    = 2000 // bytes of a file
)

// Tar makes tar archives of up to 20 files, directories, symbolic and hard links, in any order. Some
// names lead out of the archive, as ../x and /x do, occur twice, are longer than 100 bytes or any
// text: what code that extracts archives must be prepared for. Owners and times are zero.
//
// Backward, Tar reads the archives that [tar.Writer] writes of such entries. For a directory with files
// to archive, use [Files] and [tar.Writer.AddFS].
func Tar() bigen.Gen[[]byte] {
	name := bigen.Pick(
		bigen.Tag("file", bigen.Matching(`[a-c]{1,2}(\.txt)?`)),
		bigen.Tag("path", bigen.Matching(`[a-c]{1,2}(/[a-c]{1,2}){1,3}`)),
		bigen.Tag("odd", bigen.Matching(`(\.\./){1,2}[a-c]|/[a-c](/\.\.){0,2}|\.{0,2}|a//b|[a-c]/|[a-c]{90,120}`)).Weight(0.5),
		bigen.Tag("any", bigen.String(40)).Weight(0.2))
	entry := bigen.Struct(func(c *bigen.C, e *tarEntry) {
		bigen.At(c, &e.Type, bigen.OneOf[byte](tar.TypeReg, tar.TypeDir, tar.TypeSymlink, tar.TypeLink))
		bigen.At(c, &e.Name, name)
		bigen.At(c, &e.Mode, bigen.OneOf[int64](0o644, 0o755, 0, 0o4755))
		switch e.Type {
		case tar.TypeReg:
			bigen.At(c, &e.Data, bigen.Bytes(0, maxData))
		case tar.TypeSymlink, tar.TypeLink:
			bigen.At(c, &e.Link, name)
		}
	})
	archives := bigen.Iso(bigen.SliceOf(entry, 0, maxEntries), toTar, fromTar)
	return bigen.SuchThat(archives, func(b []byte) bool { return b != nil }, emptyTar)
}

type tarEntry struct {
	Type       byte
	Name, Link string
	Mode       int64
	Data       []byte
}

// emptyTar is an archive without entries.
var emptyTar = toTar(nil)

// toTar returns nil if the format has no such entries, as one whose name has a zero byte.
func toTar(entries []tarEntry) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Typeflag: e.Type, Name: e.Name, Linkname: e.Link, Mode: e.Mode, Size: int64(len(e.Data))}
		if w.WriteHeader(h) != nil {
			return nil
		}
		if _, err := w.Write(e.Data); err != nil {
			return nil
		}
	}
	if w.Close() != nil {
		return nil
	}
	return b.Bytes()
}

// fromTar undoes toTar.
func fromTar(b []byte) (entries []tarEntry, ok bool) {
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return entries, bytes.Equal(toTar(entries), b)
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return nil, false
		}
		e := tarEntry{Type: h.Typeflag, Name: h.Name, Link: h.Linkname, Mode: h.Mode}
		if h.Typeflag == tar.TypeReg {
			if e.Data, err = io.ReadAll(r); err != nil {
				return nil, false
			}
		}
		entries = append(entries, e)
	}
}
