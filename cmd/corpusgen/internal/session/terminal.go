package session

import (
	"os"
	"strconv"
	"unicode"

	"golang.org/x/text/width"
)

// terminalWidth returns how many columns of a line of f may be used, or 0 if f is not a terminal. A
// character in the last column would begin a line in some terminals.
func terminalWidth(f *os.File) int {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return 0
	}
	columns, ok := terminalColumns(f)
	if !ok {
		return 0
	}
	if columns == 0 { // the terminal does not know
		columns, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if columns < 2 {
		columns = 80
	}
	return columns - 1
}

// columnsOf returns how many columns of a terminal a character takes.
func columnsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut returns what of a text fits into so many columns, and how many it takes.
func cut(text string, most int) (fits string, columns int) {
	for i, r := range text {
		n := columnsOf(r)
		if columns+n > most {
			return text[:i], columns
		}
		columns += n
	}
	return text, columns
}
