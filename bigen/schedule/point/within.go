//go:build !espalier_turns

package point

// acquire returns the bubble of the calling goroutine, which does not become idle until it is
// released. It returns nil outside of bubbles, and if the names of package runtime are not known.
func acquire() any { return nil }

func release(any) {}

// inBubble calls f in a bubble.
func inBubble(any, func()) {}
