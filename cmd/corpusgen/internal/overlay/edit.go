package overlay

import (
	"fmt"
	"maps"
)

// unsupported returns an error that says why the overlay does not fit the Go installation of a
// version at all.
func unsupported(version, reason string) error {
	return fmt.Errorf("the fuzzing engine of %s is not one that corpusgen knows: %s", version, reason)
}

// A flavor is what an overlay makes of the engine.
type flavor struct {
	parts  []part
	glue   []string          // files of internal/fuzz that the edits refer to
	others []string          // sources of other packages that are edited
	adds   map[string][]byte // files for other packages
}

// goEngine leaves fuzzing to Go's engine.
var goEngine = flavor{parts: parts, glue: []string{"worker.go", "coordinator.go"}}

// edit returns the overlay for the given sources, without its place.
func (f flavor) edit(version string, texts map[string][]byte) (*Overlay, error) {
	sources, declared, err := declarations(version, texts)
	if err != nil {
		return nil, err
	}
	files, err := f.added(version, declared)
	if err != nil {
		return nil, err
	}
	maps.Copy(files, f.adds)
	o := &Overlay{version: version, files: files}
	changes := map[string][]change{}
	for i, p := range f.parts {
		found, lost := p.find(sources)
		switch {
		case lost == "":
			for name, c := range found {
				changes[name] = append(changes[name], c...)
			}
		case i == 0: // the others build on it
			return nil, unsupported(version, lost)
		default:
			o.lacks = append(o.lacks, p.name)
			o.Missing = append(o.Missing,
				fmt.Sprintf("the fuzzing engine of %s is not quite as expected: %s: continuing "+
					"without %s: %s", version, lost, p.name, p.loss))
		}
	}
	for name, c := range changes {
		files[name] = sources[name].apply(c)
	}
	return o, nil
}

// declarations parses sources, and returns what they declare, which has all that the overlay needs.
func declarations(
	version string, texts map[string][]byte,
) (map[string]*source, map[string]bool, error) {
	sources, declared := map[string]*source{}, map[string]bool{}
	for name, text := range texts {
		s, err := parse(name, text)
		if err != nil {
			return nil, nil, unsupported(version, err.Error())
		}
		sources[name] = s
		for _, id := range s.declarations() {
			declared[id] = true
		}
	}
	for _, id := range needed {
		if !declared[id] {
			return nil, nil, unsupported(version, "internal/fuzz declares no "+id)
		}
	}
	return sources, declared, nil
}

// added returns the files that join internal/fuzz. They must not declare what it declares.
func (f flavor) added(version string, declared map[string]bool) (map[string][]byte, error) {
	files, err := added(f.glue)
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
				return nil, unsupported(version,
					fmt.Sprintf("internal/fuzz declares %s, as %s of the overlay does", id, name))
			}
		}
	}
	return files, nil
}
