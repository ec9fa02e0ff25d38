package finding

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/internal/atomicfile"
	"github.com/espalier-go/espalier/internal/hash"
)

// The types below are the part of SARIF 2.1.0 that a run of a fuzzer needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool    sarifTool     `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		ShortDescription sarifMessage `json:"shortDescription"`
		FullDescription  sarifMessage `json:"fullDescription"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           int               `json:"ruleIndex"`
		Level               string            `json:"level"`
		Message             sarifMessage      `json:"message"`
		Locations           []sarifLocation   `json:"locations,omitempty"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

// sarifMark is part of the files that [List.WriteSARIF] writes, and may replace.
const sarifMark = `"name": "corpusgen"`

// CheckSARIF returns an error if WriteSARIF would have to replace a file of another program.
func CheckSARIF(path string) error { return atomicfile.Replaceable(path, sarifMark) }

// WriteSARIF writes all findings to a file, also if there are none.
func (l *List) WriteSARIF(path string) error {
	if err := CheckSARIF(path); err != nil {
		return err
	}
	const rule = "property-fails"
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:           "corpusgen",
			InformationURI: "https://github.com/espalier-go/espalier",
			Rules: []sarifRule{{
				ID:               rule,
				ShortDescription: sarifMessage{"A property fails"},
				FullDescription:  sarifMessage{"A fuzz target or a property test fails for an input that has been minimized and saved."},
			}},
		}},
		Results: []sarifResult{},
	}
	for _, f := range l.findings {
		r := sarifResult{
			RuleID:  rule,
			Level:   "error",
			Message: sarifMessage{f.Text()},
			PartialFingerprints: map[string]string{
				"failure/v1": fmt.Sprintf("%016x", hash.FNV64(strings.Join([]string{f.Package, f.Target, f.Place}, "\x00"))),
			},
		}
		if at := f.Location(l.Root); at.Path != "" {
			r.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{at.Path, "%SRCROOT%"}, sarifRegion{max(1, at.Line)}}}}
		}
		run.Results = append(run.Results, r)
	}
	b, err := json.MarshalIndent(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(b, '\n'))
}
