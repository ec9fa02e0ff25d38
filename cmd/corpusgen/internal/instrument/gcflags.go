package instrument

import (
	"fmt"
	"strings"
)

// FlagsForAll returns what the user wants all packages to be compiled with: the FLAGS of the last
// of the values of -gcflags, each of which must be all=FLAGS or empty. Any other one is an error:
// the go command uses only one of those that match a package, and it must be ours.
func FlagsForAll(values []string) (string, error) {
	all := ""
	for _, value := range values {
		value = strings.TrimSpace(value)
		pattern, flags, found := strings.Cut(value, "=")
		switch {
		case value == "":
		case found && strings.TrimSpace(pattern) == "all":
			all = strings.TrimSpace(flags)
		default:
			if found && !strings.HasPrefix(value, "-") {
				value = flags
			}
			return "", fmt.Errorf("instrumentation goes together with -gcflags only if they are "+
				"for all packages: use -gcflags='all=%s'", value)
		}
	}
	return all, nil
}
