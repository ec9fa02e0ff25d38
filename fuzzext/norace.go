//go:build !race

package fuzzext

// raceDetector says whether the program has been built with -race.
const raceDetector = false
