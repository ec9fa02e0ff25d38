package main

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// check makes each link lead to a page, to a file or to the repository, or says which do not.
func (s *site) check() error {
	byName := map[string]*page{}
	for _, p := range s.pages {
		byName[p.name] = p
	}
	var errs []error
	for _, p := range s.pages {
		for _, l := range p.links() {
			to, err := s.target(byName, p, string(l.Destination))
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: the link %s leads nowhere: %w", p.name, l.Destination, err))
			}
			l.Destination = []byte(to)
		}
	}
	return errors.Join(errs...)
}

// target returns where a link of a page leads to on the site.
func (s *site) target(byName map[string]*page, from *page, link string) (string, error) {
	if strings.Contains(link, "://") {
		return link, nil
	}
	file, fragment, hasFragment := strings.Cut(link, "#")
	to := from
	if file != "" {
		to = byName[path.Clean(file)]
	}
	switch {
	case to == nil && strings.HasPrefix(file, "../"):
		return repository + strings.TrimPrefix(link, "../"), nil
	case to == nil && s.assets[path.Clean(file)]:
		return link, nil
	case to == nil:
		return "", fmt.Errorf("there is no %s, or the index does not name it", file)
	case hasFragment && !to.anchors[fragment]:
		return "", fmt.Errorf("%s has no such heading", to.name)
	case hasFragment:
		return to.file + "#" + fragment, nil
	}
	return to.file, nil
}
