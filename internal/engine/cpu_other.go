//go:build !unix && !windows

package engine

import "time"

func CPUTime() (time.Duration, bool) { return 0, false }
