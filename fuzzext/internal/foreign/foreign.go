// Package foreign is where packages beside fuzzext leave what fuzzext needs to read corpora
// that other libraries have made. So fuzzext depends on none of these libraries.
//
// Nothing here is safe for concurrent use: fuzz targets run one after the other.
package foreign

// A Decoder sets the value that v points to from an input of another library.
type Decoder func(input []byte, v any) error

var decoders = map[[2]string]Decoder{}

// Register makes d the decoder of a format for a fuzz target; for all targets that have none
// of their own if target is "".
func Register(format, target string, d Decoder) { decoders[[2]string{format, target}] = d }

// Lookup returns the decoder of a format for a fuzz target, or nil if there is none.
func Lookup(format, target string) Decoder {
	if d := decoders[[2]string{format, target}]; d != nil {
		return d
	}
	return decoders[[2]string{format, ""}]
}

// A Translator replaces an input of another library by the bytes of its value. It returns all
// other bytes as they are. The error says why an input has no value.
type Translator func(target string, b []byte) ([]byte, error)

var current Translator

// Use makes t the Translator of the targets that are made from now on; nil makes it none.
func Use(t Translator) { current = t }

// Current returns the Translator in use, or nil.
func Current() Translator { return current }
