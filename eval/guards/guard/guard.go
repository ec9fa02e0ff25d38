// Package guard has guards: functions that are true for few inputs, for a reason that stands in
// their code. Each tests in another way, as code that reads inputs does.
package guard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Record is a value with parts of several types, for guards that test one of them.
type Record struct {
	Name   string
	Words  []string
	Data   []byte
	Code   uint32
	Number uint64
	Size   uint16
	Minor  uint16
	Symbol rune
}

// Contains is true for a text with a text in it.
func Contains(s string) bool { return strings.Contains(s, "SLEEPING") }

// Index is true for a text with a text in it that does not begin it.
func Index(s string) bool { return strings.Index(s, "#!begin") > 0 }

var scheme = "espalier+tls://"

// Prefix is true for a text that begins with a variable's.
func Prefix(s string) bool { return strings.HasPrefix(s, scheme) }

var commands = map[string]int{"subscribe": 1, "unsubscribe": 2, "heartbeat": 3}

// MapKey is true for a text whose first word is a key of a map.
func MapKey(s string) bool {
	words := strings.Fields(s)
	return len(words) > 1 && commands[words[0]] > 0
}

// Switch is true for a text that a switch has.
func Switch(s string) bool {
	switch s {
	case "accept-charset", "accept-encoding", "accept-language":
		return true
	}
	return false
}

var keywords = []struct {
	text string
	rare bool
}{{"if", false}, {"for", false}, {"fallthrough", true}, {"interface", true}}

// Table is true for a text that begins with one in a table.
func Table(s string) bool {
	for _, k := range keywords {
		if k.rare && strings.HasPrefix(s, k.text) {
			return true
		}
	}
	return false
}

const magic = 0xcafebabe

// BigEndian is true for bytes that begin with an integer.
func BigEndian(s string) bool {
	return len(s) >= 4 && IsMagic(binary.BigEndian.Uint32([]byte(s)))
}

// IsMagic is true for an integer.
func IsMagic(n uint32) bool { return n == magic }

// LittleEndian is true for bytes that begin with an integer of eight bytes.
func LittleEndian(s string) bool {
	return len(s) >= 8 && IsLong(binary.LittleEndian.Uint64([]byte(s)))
}

// IsLong is true for an integer.
func IsLong(n uint64) bool { return n == 0x8badf00ddeadbeef }

// Length is true for bytes that begin with how many follow.
func Length(s string) bool {
	return len(s) >= 2 && IsLength(binary.BigEndian.Uint16([]byte(s)), []byte(s[2:]))
}

// IsLength is true for at least 16 bytes and their number.
func IsLength(n uint16, b []byte) bool { return len(b) >= 16 && int(n) == len(b) }

// Checksum is true for bytes that end with the checksum of those before.
func Checksum(s string) bool {
	end := len(s) - 4
	return end >= 0 && IsChecksum(binary.LittleEndian.Uint32([]byte(s[end:])), []byte(s[:end]))
}

// IsChecksum is true for at least four bytes and their checksum.
func IsChecksum(sum uint32, b []byte) bool { return len(b) >= 4 && sum == crc32.ChecksumIEEE(b) }

// Rune is true for a text with a character.
func Rune(s string) bool {
	for _, r := range s {
		if IsSymbol(r) {
			return true
		}
	}
	return false
}

// IsSymbol is true for a character.
func IsSymbol(r rune) bool { return r == '⌘' }

// Fold is true for a text in any case.
func Fold(s string) bool { return strings.EqualFold(s, "Transfer-Encoding") }

var signature = []byte{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}

// Signature is true for bytes that begin with those of a slice.
func Signature(s string) bool {
	return len(s) >= len(signature) && bytes.Equal([]byte(s)[:len(signature)], signature)
}

var weekdays = []string{"Monday", "Wednesday", "Saturday"}

// Member is true for an element of a slice.
func Member(s string) bool { return slices.Contains(weekdays, s) }

var colors = []string{"aquamarine", "burlywood", "chartreuse", "darkorchid"}

// Search is true for an element of a slice that is searched by halves.
func Search(s string) bool {
	i := sort.SearchStrings(colors, s)
	return i < len(colors) && colors[i] == s
}

type version struct{ major, minor uint16 }

var versions = map[version]string{{17391, 4660}: "beta", {21845, 23130}: "final"}

// KeyType is true for bytes that are the fields of a key of a map.
func KeyType(s string) bool {
	if len(s) < 4 {
		return false
	}
	b := []byte(s)
	return IsVersion(binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:]))
}

// IsVersion is true for the fields of a key of a map.
func IsVersion(major, minor uint16) bool { return versions[version{major, minor}] != "" }

// Scan is true for a text of a format.
func Scan(s string) bool {
	var from, to int
	n, _ := fmt.Sscanf(s, "move %d onto %d", &from, &to)
	return n == 2
}

// Number is true for the digits of an integer.
func Number(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n == 271828182
}

var release = regexp.MustCompile(`^rel-[0-9]+\.[0-9]+-rc[0-9]$`)

// Pattern is true for a text that matches a regular expression.
func Pattern(s string) bool { return release.MatchString(s) }

// Sequence is true for a text that passes three guards in turn.
func Sequence(s string) bool {
	name, ok := strings.CutPrefix(s, "EHLO ")
	if !ok {
		return false
	}
	key, value, ok := strings.Cut(name, "=")
	return ok && key == "timeout" && strings.HasSuffix(value, "msec")
}
