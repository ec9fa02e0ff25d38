package engine

import "strings"

// PlaceOf finds the place in the code where a test has failed, as FILE:LINE, in what the
// test says: where a panic began, or what testing puts before a message. It is
// the empty string if neither is there.
func PlaceOf(log string) string {
	if _, stack, ok := strings.Cut(log, "\npanic("); ok {
		lines := strings.Split(stack, "\n")
		// The frame that called panic: its function, and its place in the next line.
		for i := 3; i < len(lines); i += 2 {
			place := strings.TrimSpace(lines[i])
			if strings.Contains(place, "/src/runtime/") || strings.HasPrefix(lines[i-1], "panic(") {
				continue
			}
			place, _, _ = strings.Cut(place, " +0x")
			return place[strings.LastIndexAny(place, "/\\")+1:]
		}
	}
	for line := range strings.Lines(log) {
		file, rest, ok := strings.Cut(strings.TrimSpace(line), ".go:")
		if !ok || strings.ContainsAny(file, " \t") || file == "testing" {
			continue
		}
		number, _, ok := strings.Cut(rest, ":")
		if ok && number != "" && strings.Trim(number, "0123456789") == "" {
			return file + ".go:" + number
		}
	}
	return ""
}
