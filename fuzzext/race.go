//go:build race

package fuzzext

const raceDetector = true
