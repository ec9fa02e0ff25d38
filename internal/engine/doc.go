// Package engine is what corpusgen fuzz adds to Go's own fuzzing engine.
//
// Its files are compiled twice: as this package, for fuzzext, corpusgen and the tests,
// and, by an overlay that package overlay makes, as part of internal/fuzz. So they
// import nothing but the standard library, use no name that internal/fuzz declares and
// have nothing to do with the rest of this module.
//
// In a worker process the two copies meet in a [Link].
package engine
