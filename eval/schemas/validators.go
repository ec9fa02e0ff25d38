package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/dlclark/regexp2/v2"
	google "github.com/google/jsonschema-go/jsonschema"
	santhosh "github.com/santhosh-tekuri/jsonschema/v6"
)

// validators are two programs that validate values. Either may be nil: the second one does not know
// each draft.
type validators struct {
	first  *santhosh.Schema
	second *google.Resolved
}

const schemaURL = "http://schema.test/schema.json"

// newValidators makes validators of a job. The error is the first one's.
func newValidators(j job) (v validators, err error) {
	failure := ""
	spend(&failure, "the validator", func() { v.first, err = firstValidator(j) })
	if failure != "" {
		err = errors.New(failure)
	}
	if err != nil {
		return validators{}, fmt.Errorf("%s cannot read the schema: %w", "santhosh-tekuri/jsonschema", err)
	}
	if j.Second {
		spend(&failure, "", func() { v.second = secondValidator(j) })
	}
	return v, nil
}

func firstValidator(j job) (*santhosh.Schema, error) {
	doc, err := santhosh.UnmarshalJSON(strings.NewReader(j.Schema))
	if err != nil {
		return nil, err
	}
	c := santhosh.NewCompiler()
	c.DefaultDraft(map[int]*santhosh.Draft{4: santhosh.Draft4, 6: santhosh.Draft6, 7: santhosh.Draft7,
		2019: santhosh.Draft2019, 2020: santhosh.Draft2020}[j.Draft])
	c.UseLoader(loader(j.Remotes))
	compiled := false
	c.UseRegexpEngine(func(s string) (santhosh.Regexp, error) {
		re, err := compile(s)
		if compiled && !j.Format {
			err = nil // s is a value, of format regex
		}
		return re, err
	})
	if j.Format {
		c.AssertFormat()
	} else { // in old drafts, too, it asserts formats
		for _, name := range strings.Fields(formats) {
			c.RegisterFormat(&santhosh.Format{Name: name, Validate: func(any) error { return nil }})
		}
	}
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	s, err := c.Compile(schemaURL)
	compiled = true
	return s, err
}

const formats = "json-pointer relative-json-pointer uuid duration period ipv4 ipv6 hostname email date " +
	"time date-time uri iri uri-reference iri-reference uri-template semver"

// compile compiles an expression, also one with what package regexp does not have.
func compile(s string) (santhosh.Regexp, error) {
	if re, err := regexp.Compile(s); err == nil {
		return re, nil
	}
	re, err := regexp2.Compile(s, regexp2.ECMAScript|regexp2.Unicode)
	return backtracking{re}, err
}

// backtracking is an expression that package regexp does not know.
type backtracking struct{ *regexp2.Regexp }

func (b backtracking) MatchString(s string) bool {
	ok, err := b.Regexp.MatchString(s)
	return ok && err == nil
}

type loader remotes

func (l loader) Load(url string) (any, error) {
	text, err := remotes(l).load(url)
	if err != nil {
		return nil, err
	}
	return santhosh.UnmarshalJSON(strings.NewReader(text))
}

// secondValidator returns nil if it cannot read the schema.
func secondValidator(j job) *google.Resolved {
	read := func(text string) (*google.Schema, error) {
		s := new(google.Schema)
		err := json.Unmarshal([]byte(text), s)
		return s, err
	}
	s, err := read(j.Schema)
	if err != nil || j.Draft != 7 && j.Draft != 2020 {
		return nil
	}
	switch {
	case s.Schema == "" && j.Draft == 7:
		s.Schema = "https://json-schema.org/draft-07/schema#"
	case s.Schema != "" && !strings.Contains(s.Schema, "://json-schema.org/"):
		return nil // a draft of the schema's own
	}
	v, err := s.Resolve(&google.ResolveOptions{Loader: func(u *url.URL) (*google.Schema, error) {
		text, err := j.Remotes.load(u.String())
		if err != nil {
			return nil, err
		}
		return read(text)
	}})
	if err != nil {
		return nil
	}
	return v
}

// validate says why a value, given as JSON and as Go values, is invalid, or how the validators
// disagree.
func (v validators) validate(text []byte, value any) (invalid, disagree string) {
	if v.first == nil {
		return "", ""
	}
	exact, err := santhosh.UnmarshalJSON(bytes.NewReader(text)) // numbers are as in the text
	if err == nil {
		err = v.first.Validate(exact)
	}
	if err != nil {
		invalid = err.Error()
	}
	if v.second == nil {
		return invalid, ""
	}
	second, panicked := error(nil), ""
	spend(&panicked, "the second validator", func() { second = v.second.Validate(value) })
	switch {
	case panicked != "":
		disagree = panicked
	case (err == nil) != (second == nil):
		disagree = fmt.Sprintf("santhosh-tekuri/jsonschema: %v; google/jsonschema-go: %v", err, second)
	}
	return invalid, disagree
}

// judge says how the validators see an instance in another way than its test.
func (v validators) judge(i instance) string {
	var value any
	if err := json.Unmarshal(i.Data, &value); err != nil || v.first == nil {
		return ""
	}
	invalid, disagree := v.validate(i.Data, value)
	if disagree == "" && (invalid == "") != i.Valid {
		return fmt.Sprintf("the test says valid: %v, and santhosh-tekuri/jsonschema: %q", i.Valid, invalid)
	}
	return disagree
}
