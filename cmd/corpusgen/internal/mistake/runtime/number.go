//go:build go1.18

package runtime

// espalierMistakes is how many mistakes the package has.
const espalierMistakes = 0
