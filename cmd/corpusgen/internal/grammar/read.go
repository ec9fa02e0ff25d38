package grammar

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// Read reads the files of one grammar, and the grammars of ANTLR that they name: those to import,
// and those with their tokens, in files beside them.
func Read(files []string) (*Grammar, error) {
	r := &reader{whole: &Grammar{}, units: map[string]*unit{}}
	for _, path := range files {
		if err := r.read(path); err != nil {
			return nil, err
		}
	}
	roots := slices.DeleteFunc(slices.Clone(r.order), func(path string) bool {
		return r.units[path].imported
	})
	if len(roots) == 0 { // they import each other
		roots = r.order[:1]
	}
	for _, path := range roots {
		r.add(r.units[path])
	}
	return r.whole, nil
}

// A reader reads the files of a grammar.
type reader struct {
	whole *Grammar
	units map[string]*unit // by paths
	order []string
}

// A unit is one file.
type unit struct {
	Grammar
	imports  []*unit
	imported bool
	added    bool
}

// read reads a file, unless that has been read.
func (r *reader) read(path string) error {
	path = filepath.Clean(path)
	if r.units[path] != nil {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	u := &unit{}
	r.units[path], r.order = u, append(r.order, path)
	switch filepath.Ext(path) {
	case ".ebnf":
		return u.readEBNF(path, string(text))
	case ".g4":
		needs, err := u.readANTLR(path, string(text))
		if err != nil {
			return err
		}
		return r.readNeeds(u, path, needs)
	}
	return session.Usagef("%s: the name of a grammar ends in .ebnf, or in .g4 of ANTLR", path)
}

// readNeeds reads the grammars that a file names.
func (r *reader) readNeeds(u *unit, from string, needs []need) error {
	for _, n := range needs {
		path := r.find(from, n.name)
		if err := r.read(path); os.IsNotExist(err) {
			return fmt.Errorf("%s: the grammar %s is not beside this file: name its file, too", n.pos, n.name)
		} else if err != nil {
			return err
		}
		if !n.lexer {
			r.units[path].imported = true
			u.imports = append(u.imports, r.units[path])
		}
	}
	return nil
}

// find returns the path of a grammar that a file names: one that has been read, or one beside the
// file.
func (r *reader) find(from, name string) string {
	for path := range r.units {
		if strings.TrimSuffix(filepath.Base(path), ".g4") == name {
			return path
		}
	}
	return filepath.Join(filepath.Dir(from), name+".g4")
}

// add adds a file to the grammar, and then its imports, without the rules that it defines itself.
func (r *reader) add(u *unit) {
	if u.added {
		return
	}
	u.added = true
	own := map[string]bool{}
	for _, rule := range u.Rules {
		own[rule.Name] = true
	}
	for _, part := range u.imports {
		r.importInto(u, part, own, map[*unit]bool{u: true})
	}
	g := r.whole
	g.Rules = append(g.Rules, u.Rules...)
	g.Notes = append(g.Notes, u.Notes...)
	g.Left = append(g.Left, u.Left...)
	g.declared = append(g.declared, u.declared...)
	g.lexed = g.lexed || u.lexed
}

// importInto adds the rules of a file, and of its imports, to those of another file.
func (r *reader) importInto(u, part *unit, own map[string]bool, done map[*unit]bool) {
	if done[part] {
		return
	}
	done[part] = true
	for _, rule := range part.Rules {
		if !own[rule.Name] {
			own[rule.Name] = true
			u.Rules = append(u.Rules, rule)
		}
	}
	u.Notes = append(u.Notes, part.Notes...)
	u.declared = append(u.declared, part.declared...)
	for _, more := range part.imports {
		r.importInto(u, more, own, done)
	}
}
