// Package engine is what corpusgen fuzz adds to Go's own fuzzing engine.
//
// Its files are compiled twice: as this package, for fuzzext, corpusgen and the tests, and,
// by an overlay that package overlay makes, as part of internal/fuzz. Therefore they import
// only packages of the standard library that do not import internal/fuzz, declare no name
// that internal/fuzz declares, and use no other package of this module.
//
// In a worker process the two copies meet in a [Link].
package engine
