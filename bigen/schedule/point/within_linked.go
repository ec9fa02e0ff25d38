//go:build espalier_turns

package point

import _ "unsafe" // for go:linkname

// Corpusgen test sets the build tag, and has the linker allow these names.

//go:linkname acquire internal/synctest.acquire
func acquire() any

//go:linkname release internal/synctest.release
func release(bubble any)

//go:linkname inBubble internal/synctest.inBubble
func inBubble(bubble any, f func())
