//go:build race

package linear

const raceEnabled = true
