package engine

import (
	"os"
	"path/filepath"
	"strings"
)

// LogsFile is the name, in [RunDir], of the file with the places of [SetLogs], a line each.
const LogsFile = "logs"

// logs are places of calls that only log.
var logs map[string]bool

// SetLogs says at which places, as FILE:LINE, tests only log: what is printed there says nothing of a
// failure. It must not be called while other goroutines look for places.
func SetLogs(places []string) {
	logs = make(map[string]bool, len(places))
	for _, p := range places {
		logs[p] = true
	}
}

// IsLog reports whether tests only log at a place, whose file may have a directory.
func IsLog(place string) bool {
	return logs[place[strings.LastIndexAny(place, `/\`)+1:]]
}

// ReadLogs calls SetLogs with the places of this process's run.
func ReadLogs() {
	if dir := os.Getenv(RunDir); dir != "" {
		if b, err := os.ReadFile(filepath.Join(dir, LogsFile)); err == nil {
			SetLogs(strings.Fields(string(b)))
		}
	}
}
