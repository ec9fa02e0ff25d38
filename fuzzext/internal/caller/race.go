//go:build race

package caller

const raceDetector = true
