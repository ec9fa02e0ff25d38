//go:build !unix && go1.18

package runtime

// espalierLimit does nothing: the system has no such limits.
func espalierLimit(seconds, bytes int64) {}
