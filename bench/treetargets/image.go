package treetargets

import (
	"bytes"
	"compress/lzw"
	"image/gif"
	"strings"

	"github.com/espalier-go/espalier/bigen"
)

// image is a decoder of GIF images.
func image() Target {
	return Target{
		Name:     "image",
		Packages: []string{"image/gif", "compress/lzw"},
		Gen:      images(),
		Run: func(input string) {
			_, _ = gif.DecodeAll(strings.NewReader(input))
			_, _ = gif.DecodeConfig(strings.NewReader(input))
		},
	}
}

const (
	colors = "\x00\x00\x00\xff\xff\xff\xff\x00\x00\x00\x00\xff" // of a table of four
	raw    = "\x00\x01\x02\x03"
)

func images() bigen.Gen[string] {
	side := words("\x00\x00", "\x01\x00", "\x02\x00", "\x04\x00", "\x00\x01")
	blocks := list(3, "", bigen.Pick(
		form("short", "\x03abc"),
		form("loop", "\x03\x01\x05\x00"),
		form("empty", "\x00")))
	pixels := bigen.Pick(
		form("packed", "%s", bigen.Iso(list(16, "", words("\x00", "\x01", "\x02", "\x03")),
			packed, forward[string])),
		form("raw", "\x02%s", blocks),
		form("wide codes", "\x09%s", blocks),
		form("cut", "\x02\x09"+raw))
	picture := func(flags, table string) bigen.Gen[string] {
		return joined(func(t []any) string {
			return "\x2c\x00\x00" + t[0].(string) + t[1].(string) + t[2].(string) + flags + table +
				t[3].(string)
		}, words("\x00\x00", "\x01\x00"), side, side, pixels)
	}
	block := bigen.Pick(
		bigen.Tag("picture", picture("\x00", "")),
		bigen.Tag("own colors", picture("\x81", colors)),
		bigen.Tag("interlaced", picture("\x40", "")),
		form("control", "\x21\xf9\x04%s\x05\x00%s\x00", words("\x00", "\x01", "\x08", "\x0d", "\x1c"),
			words("\x00", "\x03", "\xff")),
		form("bad control", "\x21\xf9\x05"),
		form("comment", "\x21\xfe%s\x00", blocks),
		form("text", "\x21\x01\x0cabcdefghijkl%s\x00", blocks),
		form("application", "\x21\xff\x0b%s%s\x00", words("NETSCAPE2.0", "ELSEWHERE00"), blocks),
		form("unknown extension", "\x21\x7f%s\x00", blocks),
		form("unknown", "\x99"))
	return bigen.Pick(
		form("image", "%s%s%s%s%s", words("GIF89a", "GIF87a"), bigen.Iso(joined(func(t []any) string {
			return t[0].(string) + t[1].(string)
		}, side, side), func(s string) string { return s }, forward[string]),
			words("\x81\x00\x00"+colors, "\x81\x01\x00"+colors, "\x00\x00\x00"),
			list(6, "", block), words("\x3b", "")),
		form("other", "%s", words("", "GIF88a", "PNG")))
}

// packed returns the data of an image whose pixels are the bytes of a text.
func packed(pixels string) string {
	var data bytes.Buffer
	w := lzw.NewWriter(&data, lzw.LSB, 2)
	_, _ = w.Write([]byte(pixels))
	_ = w.Close()
	b := data.Bytes() // shorter than a block
	return "\x02" + string(append([]byte{byte(len(b))}, b...)) + "\x00"
}
