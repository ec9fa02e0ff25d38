package corpus

import (
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/internal/hash"
)

// SafePath returns a path, with slashes, for the name of a test, such as the path of its corpus. It
// writes as %XX what a file system does not allow, or would misread.
func SafePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = safeName(p)
	}
	return strings.Join(parts, "/")
}

func safeName(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		c := s[i]
		safe := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("_-+=#,@()[]{}^!", c) >= 0 || c == '.' && i > 0 && i < len(s)-1
		if safe {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	switch {
	case name == "":
		return "%"
	case reserved(name):
		return "%" + name
	case len(name) > 100:
		return fmt.Sprintf("%s%%%x", name[:80], hash.FNV64(s))
	}
	return name
}

// reserved reports whether Windows reserves a name for a device, whatever its extension.
func reserved(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	if len(base) == 4 && '0' <= base[3] && base[3] <= '9' {
		return strings.EqualFold(base[:3], "COM") || strings.EqualFold(base[:3], "LPT")
	}
	return strings.EqualFold(base, "CON") || strings.EqualFold(base, "PRN") ||
		strings.EqualFold(base, "AUX") || strings.EqualFold(base, "NUL")
}
