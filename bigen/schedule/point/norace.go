//go:build !race

package point

// raceDetector says whether the program has been built with -race.
const raceDetector = false

func hide()                   {}
func show()                   {}
func happensBefore[T any](*T) {}
func happensAfter[T any](*T)  {}
func raceErrors() int         { return 0 }
