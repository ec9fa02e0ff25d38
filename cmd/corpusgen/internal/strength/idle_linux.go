package strength

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// sleeps reports whether all threads of the processes of a group sleep. A thread that waits for a
// processor does not: so it does not matter how busy the machine is.
func sleeps(group int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	found := false
	for _, path := range stats {
		if _, of, ok := readStat(path); !ok || of != group {
			continue
		}
		threads, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "task", "*", "stat"))
		for _, thread := range threads {
			state, _, ok := readStat(thread)
			if ok && !strings.Contains("STZX", state) {
				return false
			}
			found = found || ok
		}
	}
	return found
}

// readStat returns the state of a thread, and the group of its process.
func readStat(path string) (state string, group int, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", 0, false // it has ended
	}
	_, rest, ok := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
	fields := strings.Fields(rest) // the state, the parent, the group
	if !ok || len(fields) < 3 {
		return "", 0, false
	}
	group, err = strconv.Atoi(fields[2])
	return fields[0], group, err == nil
}
