package openapi

import (
	"net/url"
	"slices"
	"strings"
)

// A template is the path of an operation, with parameters in braces.
type template struct {
	text  string
	parts []part
}

// A part of a template is literal, or the name of a parameter.
type part struct {
	text  string
	param bool
}

func parseTemplate(path string) template {
	t := template{text: path}
	for rest := path; rest != ""; {
		before, after, found := strings.Cut(rest, "{")
		if before != "" {
			t.parts = append(t.parts, part{text: before})
		}
		if !found {
			break
		}
		name, after, _ := strings.Cut(after, "}")
		t.parts = append(t.parts, part{name, true})
		rest = after
	}
	return t
}

// params returns the names of the parameters.
func (t template) params() (names []string) {
	for _, p := range t.parts {
		if p.param {
			names = append(names, p.text)
		}
	}
	return names
}

// shape returns the template up to a parameter, without the names of parameters: operations on the
// same things have the same shape, whatever they call them.
func (t template) shape(param string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if !p.param {
			b.WriteString(p.text)
			continue
		}
		if b.WriteString("{}"); p.text == param {
			break
		}
	}
	return b.String()
}

// upTo returns the template up to a parameter.
func (t template) upTo(param string) template {
	i := slices.Index(t.parts, part{param, true})
	return template{t.text, t.parts[:i+1]}
}

// whole is the shape with all parameters.
func (t template) whole() string { return t.shape("") }

// match returns the values of the parameters in an escaped path.
func (t template) match(path string) (values map[string]string, ok bool) {
	values = map[string]string{}
	for i, p := range t.parts {
		if !p.param {
			if path, ok = strings.CutPrefix(path, escapeLiteral(p.text)); !ok {
				return nil, false
			}
			continue
		}
		end := strings.IndexByte(path, '/')
		if end < 0 {
			end = len(path)
		}
		if i+1 < len(t.parts) && !t.parts[i+1].param {
			first, _, _ := strings.Cut(escapeLiteral(t.parts[i+1].text), "/") // the rest of the segment
			if last := strings.LastIndex(path[:end], first); last >= 0 && first != "" {
				end = last
			}
		}
		value, err := url.PathUnescape(path[:end])
		if err != nil || value == "" {
			return nil, false
		}
		values[p.text], path = value, path[end:]
	}
	return values, path == ""
}

// escapeLiteral returns the text of a template as it stands in a URL.
func escapeLiteral(text string) string {
	return (&url.URL{Path: text}).EscapedPath()
}

// A kind is what a parameter of a path stands for: /pets/{} is a pet.
func kindName(shape string) string {
	words := strings.FieldsFunc(strings.TrimSuffix(shape, "{}"), func(r rune) bool {
		return r == '/' || r == '{' || r == '}'
	})
	words = slices.DeleteFunc(words, func(w string) bool { return identifier(w) == "" })
	if len(words) == 0 {
		return "thing"
	}
	return identifier(singular(words[len(words)-1]))
}

// singular returns a word without the ending of the plural.
func singular(word string) string {
	for _, ending := range [][2]string{{"ies", "y"}, {"sses", "ss"}, {"shes", "sh"}, {"ches", "ch"},
		{"xes", "x"}, {"ss", "ss"}, {"us", "us"}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(word, ending[0]); ok && stem != "" {
			return stem + ending[1]
		}
	}
	return word
}

// identifier returns a word as the beginning of a Go identifier, without anything but letters.
func identifier(word string) string {
	word = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, word)
	if word != "" {
		word = strings.ToLower(word[:1]) + word[1:]
	}
	return word
}

// plain returns a name without case and separators: petId, pet_id and pet-id are the same.
func plain(name string) string { return strings.ToLower(identifier(name)) }
