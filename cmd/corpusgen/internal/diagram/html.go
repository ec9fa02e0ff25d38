package diagram

import (
	"bytes"
	_ "embed"
	"html/template"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
)

//go:embed page.html
var source string

var paper = template.Must(template.New("page").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(page.Style) },
	"none":  func() string { return none },
	"title": schedule.title,
	"is":    func(t turn, column int) bool { return max(0, t.Column) == column },
}).Parse(source))

// inHTML draws schedules in HTML that needs nothing else.
func inHTML(all []schedule) ([]byte, error) {
	var b bytes.Buffer
	err := paper.Execute(&b, all)
	return b.Bytes(), err
}
