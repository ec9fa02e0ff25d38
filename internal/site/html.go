package main

import (
	"bytes"
	_ "embed"
	"html/template"
)

//go:embed page.html
var pageText string

var pageForm = template.Must(template.New("page").Parse(pageText))

// html returns the page with the list of all.
func (s *site) html(p *page) []byte {
	type entry struct {
		Title, File string
		Here        bool
	}
	var content, out bytes.Buffer
	if err := markdown.Renderer().Render(&content, p.source, p.tree); err != nil {
		panic(err) // a Buffer takes all
	}
	data := struct {
		Title   string
		Entries []entry
		Content template.HTML
	}{p.title, nil, template.HTML(content.String())}
	for _, other := range s.pages {
		data.Entries = append(data.Entries, entry{other.title, other.file, other == p})
	}
	if err := pageForm.Execute(&out, data); err != nil {
		panic(err) // the template fits
	}
	return out.Bytes()
}
