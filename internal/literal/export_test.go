package literal

// SetNewTakesValues makes literals those of Go 1.26, or of older releases.
func SetNewTakesValues(yes bool) { newTakesValues = func() bool { return yes } }

// Language is [language].
var Language = language
