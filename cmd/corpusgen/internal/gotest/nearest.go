package gotest

// Nearest returns the name that is spelled most like a word, or "" if none is spelled much like it:
// at most a third of the letters, and at most two, differ, are left out or are too many.
func Nearest(word string, names []string) (nearest string) {
	least := min(2, len(word)/3) + 1
	for _, name := range names {
		if d := distance(word, name); d < least {
			nearest, least = name, d
		}
	}
	return nearest
}

// distance returns how many letters of a to change, to leave out and to add, or neighbors to swap,
// to get b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
				continue
			}
			rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], 1+rows[i-2][j-2])
			}
		}
	}
	return rows[len(a)][len(b)]
}
