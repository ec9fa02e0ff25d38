package overlay

import "fmt"

// An UnsupportedError says why the overlay does not fit a Go installation at all.
type UnsupportedError struct {
	Version string // of the Go installation, as in go1.26.3
	Reason  string
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the fuzzing engine of %s is not one that corpusgen knows: %s", e.Version, e.Reason)
}

// edit returns the overlay for the given sources of internal/fuzz, without its place.
func edit(version string, texts map[string][]byte) (*Overlay, error) {
	sources := map[string]*source{}
	declared := map[string]bool{}
	for name, text := range texts {
		s, err := parse(name, text)
		if err != nil {
			return nil, &UnsupportedError{version, err.Error()}
		}
		sources[name] = s
		for _, id := range s.declarations() {
			declared[id] = true
		}
	}
	for _, id := range needed {
		if !declared[id] {
			return nil, &UnsupportedError{version, "internal/fuzz declares no " + id}
		}
	}
	files, err := added()
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		s, err := parse(name, text)
		if err != nil {
			return nil, err
		}
		for _, id := range s.declarations() {
			if declared[id] {
				return nil, &UnsupportedError{version, fmt.Sprintf("internal/fuzz declares %s, as %s of the overlay does", id, name)}
			}
		}
	}

	o := &Overlay{version: version, files: files}
	changes := map[string][]change{}
	for i, p := range parts {
		found, lost := p.find(sources)
		switch {
		case lost == "":
			for name, c := range found {
				changes[name] = append(changes[name], c...)
			}
		case i == 0: // the others build on it
			return nil, &UnsupportedError{version, lost}
		default:
			o.lacks = append(o.lacks, p.name)
			o.Missing = append(o.Missing, fmt.Sprintf("the fuzzing engine of %s is not quite as expected: %s: going on without %s: %s", version, lost, p.name, p.loss))
		}
	}
	for name, c := range changes {
		files[name] = sources[name].apply(c)
	}
	return o, nil
}
