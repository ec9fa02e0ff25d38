package guard

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each guard can be passed, and does not pass what is near.
func TestGuards(t *testing.T) {
	sum := string(binary.LittleEndian.AppendUint32([]byte("espalier"),
		crc32.ChecksumIEEE([]byte("espalier"))))
	for name, c := range map[string]struct {
		guard        func(string) bool
		passes, near string
	}{
		"Contains":     {Contains, "a SLEEPING b", "SLEEPIN"},
		"Index":        {Index, " #!begin", "#!begin"},
		"Prefix":       {Prefix, "espalier+tls://a", "espalier+tls:/"},
		"MapKey":       {MapKey, "heartbeat 1", "heartbeat"},
		"Switch":       {Switch, "accept-encoding", "accept-encodin"},
		"Table":        {Table, "interface {", "if"},
		"BigEndian":    {BigEndian, "\xca\xfe\xba\xbe", "\xca\xfe\xba\xbf"},
		"LittleEndian": {LittleEndian, "\xef\xbe\xad\xde\x0d\xf0\xad\x8b", "\xef\xbe\xad\xde\x0d\xf0\xad"},
		"Length":       {Length, "\x00\x10sixteen bytes ok", "\x00\x0fsixteen bytes o"},
		"Checksum":     {Checksum, sum, "a" + sum},
		"Rune":         {Rune, "a⌘", "\xe2\x8c\x99"},
		"Fold":         {Fold, "TRANSFER-encoding", "transfer encoding"},
		"Signature":    {Signature, "\x89PNG\r\n\x1a\n.", "\x89PNG\r\n\x1a\r"},
		"Member":       {Member, "Monday", "Tuesday"},
		"Search":       {Search, "chartreuse", "chartreusf"},
		"KeyType":      {KeyType, "\x43\xef\x12\x34", "\x43\xef\x5a\x5a"},
		"Scan":         {Scan, "move 1 onto 2", "move 1 on 2"},
		"Number":       {Number, "271828182", "271828183"},
		"Pattern":      {Pattern, "rel-1.2-rc3", "rel-1-rc3"},
		"Sequence":     {Sequence, "EHLO timeout=3msec", "EHLO timeout=3"},
	} {
		require.True(t, c.guard(c.passes), name)
		require.False(t, c.guard(c.near), name)
		require.False(t, c.guard(""), name)
	}
}
