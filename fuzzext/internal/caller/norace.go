//go:build !race

package caller

// raceDetector says whether the program has been built with -race.
const raceDetector = false
