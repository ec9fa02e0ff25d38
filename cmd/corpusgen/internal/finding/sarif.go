package finding

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/safefile"
)

// An object is one of SARIF 2.1.0.
type object = map[string]any

// rule is the ID of the only rule.
const rule = "property-fails"

// What begins a file that [List.Write] has written, and may replace.
const (
	schema = "https://json.schemastore.org/sarif-2.1.0.json"
	writer = "corpusgen"
	begin  = "{\n  \"$schema\": \"" + schema + "\",\n  \"properties\": {\n    \"writer\": \"" +
		writer + "\"\n"
)

// checkSARIF returns an error if there is a file of another program.
func checkSARIF(path string) error { return safefile.Replaceable(path, begin) }

// messageEscapes escapes what is a placeholder or a link in a message of SARIF.
var messageEscapes = strings.NewReplacer("{", "{{", "}", "}}", "[", `\[`, "]", `\]`)

// Write writes all findings to the file of -sarif, if there is one, and to the job summary of
// GitHub Actions, also if there are none.
func (l *List) Write() error {
	if err := l.writeJobSummary(); err != nil || l.Sarif == "" {
		return err
	}
	if err := checkSARIF(l.Sarif); err != nil {
		return err
	}
	results := []object{}
	for _, f := range l.findings {
		r := object{
			"ruleId":    rule,
			"ruleIndex": 0,
			"level":     "error",
			"message":   object{"text": messageEscapes.Replace(f.Text())},
			"partialFingerprints": object{
				"failure/v1": fmt.Sprintf("%016x",
					hash.FNV64(strings.Join([]string{f.Package, f.Target, f.Place}, "\x00"))),
			},
		}
		if at := f.Location(l.root); at.Path != "" {
			r["locations"] = []object{{"physicalLocation": object{
				"artifactLocation": object{"uri": at.Path, "uriBaseId": "%SRCROOT%"},
				"region":           object{"startLine": max(1, at.Line)},
			}}}
		}
		results = append(results, r)
	}
	driver := object{
		"name":           "corpusgen",
		"informationUri": "https://github.com/espalier-go/espalier",
		"rules": []object{{
			"id":               rule,
			"shortDescription": object{"text": "A property fails"},
			"fullDescription": object{"text": "A fuzz target or a property test fails for an " +
				"input that has been minimized and saved."},
		}},
	}
	b, err := json.MarshalIndent(object{
		"$schema":    schema,
		"properties": object{"writer": writer},
		"version":    "2.1.0",
		"runs":       []object{{"tool": object{"driver": driver}, "results": results}},
	}, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Write(l.Sarif, append(b, '\n'))
}
