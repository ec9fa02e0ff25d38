//go:build !unix && !windows

package budget

import "time"

func cpuTime() (time.Duration, bool) { return 0, false }
