package openapi

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A namedCheck examines a response. Its error is what is wrong.
type namedCheck struct {
	name     string
	optional bool // it is off by itself
	examine  func(r *run, x *Exchange) error
}

// checks are in the order in which they examine a response, the worst first: see run.tell.
var checks = []namedCheck{
	{name: "not_a_server_error", examine: notServerError},
	{name: "no_internals", examine: noInternals},
	{name: "ignored_auth", examine: ignoredAuth},
	{name: "negative_data_rejection", examine: negativeDataRejection},
	{name: "positive_data_acceptance", optional: true, examine: positiveDataAcceptance},
	{name: "use_after_free", examine: useAfterFree},
	{name: "ensure_resource_availability", examine: resourceAvailability},
	{name: "idempotence", examine: idempotence},
	{name: "status_code_conformance", examine: statusConformance},
	{name: "content_type_conformance", examine: contentTypeConformance},
	{name: "response_headers_conformance", examine: headersConformance},
	{name: "response_schema_conformance", examine: schemaConformance},
}

// undeclaredChecks are those of requests that no operation describes.
var undeclaredChecks = []namedCheck{
	checks[0], checks[1], {name: "unsupported_method", examine: methodIsUnsupported},
}

// A failure is what a check says of a response.
type failure struct {
	rank  int // of the check
	class string
	text  string
	sent  int // requests, up to that one
}

// examine checks a response, and notes the worst of what is wrong.
func (r *run) examine(x *Exchange) {
	all := append(slices.Clone(checks), r.config.checks...)
	switch {
	case r.isOther(x.operation, x.urlPath): // what another operation describes
		all = checks[:2]
	case slices.Contains(r.methods, x.maker):
		all = undeclaredChecks
	}
	for rank, k := range all {
		if !r.config.applies(k, x.operation) {
			continue
		}
		if err := k.examine(r, x); err != nil {
			r.failures = append(r.failures, failure{rank, k.name + ": " + x.Operation,
				fmt.Sprintf("%s: %s answers %d %s: %v", k.name, x.Operation, x.Status,
					http.StatusText(x.Status), err), len(r.sent)})
			break
		}
	}
	r.live(x)
}

// isOther reports whether a path is one of another operation with the same method, too.
func (r *run) isOther(o *operation, path string) bool {
	path = strings.TrimPrefix(path, r.base)
	return slices.ContainsFunc(r.spec.operations, func(other *operation) bool {
		_, matches := other.path.match(path)
		return matches && other.method == o.method && other.path.text != o.path.text
	})
}

// tell fails the sequence for the worst of its failures: a response without a header, say, does not
// hide what comes after it.
func (r *run) tell() {
	if len(r.failures) == 0 {
		return
	}
	worst := slices.MinFunc(r.failures, func(a, b failure) int { return a.rank - b.rank })
	r.class(worst.class)
	r.Errorf("%s\n%s", worst.text, r.curl(worst.sent))
}

// class names the class of a failure, unless the test has no classes.
func (r *run) class(name string) {
	if t, ok := r.C.TB.(interface{ Class(name string) }); ok {
		t.Class(name)
	}
}

func notServerError(_ *run, x *Exchange) error {
	if x.Status < 500 {
		return nil
	}
	return fmt.Errorf("%s", oneLine(x.Body))
}

// internals are what a response must not show.
var internals = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"a stack trace", regexp.MustCompile(`goroutine \d+ \[|/[\w.-]+\.go:\d+|runtime/debug\.Stack`)},
	{"a message of the Go runtime", regexp.MustCompile(
		`runtime error: |invalid memory address or nil pointer`)},
	{"an error of the database", regexp.MustCompile(`(?i)\bSQL logic error|\bSQLSTATE\b|` +
		`syntax error at or near|\bpq: |\bsql: no rows|near "[^"]*": syntax error`)},
	{"a path of the server", regexp.MustCompile(
		`(^|[\s"'(])/(home|root|usr|var|etc|opt|Users)/[\w./-]+\.(go|so|conf|db|sqlite3?|env|key|pem|log)\b`)},
}

func noInternals(_ *run, x *Exchange) error {
	for _, i := range internals {
		if found := i.pattern.Find(x.Body); found != nil && !x.sent(found) {
			return fmt.Errorf("the body has %s: %s", i.name, oneLine(found))
		}
	}
	return nil
}

// sent reports whether a text is one of the request, which the response repeats.
func (x *Exchange) sent(text []byte) bool {
	text = bytes.Trim(text, " \t\r\n\"'(")
	target, _ := url.QueryUnescape(x.request.target())
	for _, values := range x.request.header {
		target += "\n" + strings.Join(values, "\n")
	}
	return bytes.Contains(x.Sent, text) || strings.Contains(target, string(text))
}

func ignoredAuth(_ *run, x *Exchange) error {
	if !x.secured() || x.Credentials == given || x.Status/100 != 2 {
		return nil
	}
	if x.Credentials == without {
		return fmt.Errorf("the request has no credentials, and the description demands them")
	}
	return fmt.Errorf("the credentials are wrong, and the description demands them")
}

func negativeDataRejection(_ *run, x *Exchange) error {
	if x.Violation == "" || x.Status/100 != 2 {
		return nil
	}
	return fmt.Errorf("the request is not as described, but accepted: %s", x.Violation)
}

func positiveDataAcceptance(_ *run, x *Exchange) error {
	rejected := x.Status == http.StatusBadRequest || x.Status == http.StatusUnprocessableEntity
	if x.Violation != "" || !rejected {
		return nil
	}
	return fmt.Errorf("the request is as described, but rejected: %s", oneLine(x.Body))
}

// live notes what a request has done to the things that paths name.
func (r *run) live(x *Exchange) {
	if x.Status/100 != 2 {
		return
	}
	_, makes := r.makes[x.name]
	forget := func() { // what has gone with a thing, no description says
		for _, p := range r.pools {
			for _, i := range p.All() {
				i.by = ""
			}
		}
	}
	switch x.method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, "QUERY":
	case http.MethodDelete:
		parts := x.path.parts
		if parts[len(parts)-1].param && x.Status != http.StatusAccepted && x.plain {
			r.deleted[x.urlPath] = x.Operation
		}
		forget()
	default: // it may make what has been deleted, or do anything to what it names
		clear(r.deleted)
		switch isPut := x.method == http.MethodPut || x.method == http.MethodPatch; {
		case x.of == nil && !makes:
			forget()
		case x.of != nil && !isPut:
			x.of.by = ""
		}
	}
}

func useAfterFree(r *run, x *Exchange) error {
	by, reads := r.deleted[x.urlPath], x.method == http.MethodGet || x.method == http.MethodHead
	if by == "" || x.Status/100 != 2 || !reads || !x.plain {
		return nil
	}
	return fmt.Errorf("%s has deleted it", by)
}

func resourceAvailability(_ *run, x *Exchange) error {
	i := x.of
	if i == nil || i.by == "" || x.Violation != "" || !x.plain || x.Credentials != given ||
		x.method != http.MethodGet || x.path.whole() != i.kind.shape ||
		x.Status != http.StatusNotFound && x.Status != http.StatusGone {
		return nil
	}
	return fmt.Errorf("%s has created it", i.by)
}

func idempotence(_ *run, x *Exchange) error {
	conditional := x.Status == http.StatusPreconditionFailed || x.Status == http.StatusConflict ||
		x.Status == http.StatusTooManyRequests // the request says of which state it is, or how often
	if !x.repeated || x.Status < 400 || conditional {
		return nil
	}
	return fmt.Errorf("the same request succeeded before: %s", oneLine(x.Body))
}

func statusConformance(_ *run, x *Exchange) error {
	if len(x.responses) == 0 || x.answer(x.Status) != nil {
		return nil
	}
	return fmt.Errorf("the description has only the statuses %s",
		strings.ToLower(strings.Join(x.statuses(), ", ")))
}

// content returns the schema of a body, or nil if the description does not have its media type. The
// type that says the most counts.
func (r *response) content(mediaType string) *validated {
	whole, params, _ := mime.ParseMediaType(mediaType)
	best, found := 0, (*validated)(nil)
	for _, declared := range sortedKeys(r.contents) {
		base, wanted, err := mime.ParseMediaType(declared)
		if err != nil {
			base, _, _ = strings.Cut(strings.ToLower(declared), ";")
		}
		if match, _ := path.Match(base, whole); !match {
			continue
		}
		score := 3 - strings.Count(base, "*")
		other := false // than what is wanted
		for name, value := range wanted {
			if params[name] == value {
				score += 3
			}
			other = other || params[name] != value && name != "charset"
		}
		if score > best && !other {
			best, found = score, r.contents[declared]
		}
	}
	return found
}

// mediaType returns the media type of the body of a response, or "" if it has none.
func (x *Exchange) mediaType() string {
	if len(x.Body) == 0 || x.method == http.MethodHead {
		return ""
	}
	if t := x.Header.Get("Content-Type"); t != "" {
		return t
	}
	return http.DetectContentType(x.Body) // as package http does
}

func contentTypeConformance(_ *run, x *Exchange) error {
	a, mediaType := x.answer(x.Status), x.mediaType()
	if a == nil || len(a.contents) == 0 || mediaType == "" {
		return nil
	}
	if a.content(mediaType) != nil {
		return nil
	}
	return fmt.Errorf("the body is %s, and the description has only %s", mediaType,
		strings.Join(sortedKeys(a.contents), ", "))
}

func headersConformance(r *run, x *Exchange) error {
	a := x.answer(x.Status)
	if a == nil {
		return nil
	}
	for _, name := range sortedKeys(a.headers) {
		h, values := a.headers[name], x.Header.Values(name)
		switch {
		case len(values) == 0 && h.required:
			return fmt.Errorf("the header %s is missing", name)
		case len(values) == 0:
			continue
		}
		_, scalar := r.spec.responses.scalars(h.schema)
		valid, err := h.validator(r.spec.responses)
		switch {
		case err != nil:
			return fmt.Errorf("the schema of the header %s in the description: %w", name, err)
		case scalar && !couldBe(valid, values[0]):
			return fmt.Errorf("the header %s is %q, not as described", name, values[0])
		}
	}
	return nil
}

func schemaConformance(r *run, x *Exchange) error {
	a := x.answer(x.Status)
	if a == nil || !isJSON(x.mediaType()) && !isXML(x.mediaType()) {
		return nil
	}
	schema := a.content(x.mediaType())
	if schema == nil {
		return nil
	}
	format, read := "JSON", decode
	if isXML(x.mediaType()) {
		format, read = "XML", xmlCodec{r.spec.responses, schema.schema}.decode
	}
	v, err := read(x.Body)
	if err != nil {
		return fmt.Errorf("the body is not the %s of the description: %w", format, err)
	}
	valid, err := schema.validator(r.spec.responses)
	if err != nil {
		return fmt.Errorf("the schema of this response in the description: %w", err)
	}
	if err := valid(v); err != nil {
		return fmt.Errorf("%w, in %s", err, oneLine(x.Body))
	}
	return nil
}

func methodIsUnsupported(_ *run, x *Exchange) error {
	if x.Status/100 != 2 {
		return nil
	}
	return fmt.Errorf("the description has no such method at this path")
}
