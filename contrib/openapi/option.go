package openapi

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// An Option changes what [Spec.Model], [Check] and [Fuzz] do.
type Option func(c *config)

type config struct {
	only, skip  []string // operations
	off         map[string][]string
	on          []string
	named       []string // checks, by options
	fixed       map[string][]any
	base        *string
	credentials map[string]string
	edit        func(r *http.Request)
	checks      []namedCheck
	recorded    [][]byte
	err         error
}

func newConfig(opts []Option) *config {
	c := &config{off: map[string][]string{}, fixed: map[string][]any{}, credentials: map[string]string{}}
	for _, o := range opts {
		if o != nil {
			o(c)
		}
	}
	return c
}

// Only leaves out all operations but these. An operation is named by its operationId, or by its
// method and path, such as POST /pets.
func Only(operations ...string) Option {
	return func(c *config) { c.only = append(c.only, operations...) }
}

// Skip leaves operations out. See [Only] for their names.
func Skip(operations ...string) Option {
	return func(c *config) { c.skip = append(c.skip, operations...) }
}

// Without switches a check off, for all operations or for those named; see [Check] for the checks.
func Without(check string, operations ...string) Option {
	return func(c *config) {
		c.named = append(c.named, check)
		if len(operations) == 0 {
			operations = []string{""}
		}
		c.off[check] = append(c.off[check], operations...)
	}
}

// With switches a check on that is off by itself.
func With(check string) Option {
	return func(c *config) {
		c.named = append(c.named, check)
		c.on = append(c.on, check)
	}
}

// Values sets the values of a parameter, wherever an operation has it: in is path, query, header or
// cookie. It is for what the service knows and the description does not, such as the name of a
// tenant. If in is body, name is the JSON pointer to a property of bodies, such as /owner/tenant.
func Values(in, name string, values ...any) Option {
	return func(c *config) {
		if len(values) == 0 && c.err == nil {
			c.err = fmt.Errorf("openapi.Values: give at least one value of the %s parameter %s", in, name)
		}
		if in == "body" && !strings.HasPrefix(name, "/") && c.err == nil {
			c.err = fmt.Errorf("openapi.Values: %q is not a JSON pointer such as /%[1]s", name)
		}
		c.fixed[in+" "+name] = values
	}
}

// Base sets what precedes the paths of the description. Without it, that is the path of the first
// server in the description, such as /api/v1.
func Base(path string) Option {
	return func(c *config) {
		if path = strings.TrimSuffix(path, "/"); path != "" && path[0] != '/' && c.err == nil {
			c.err = fmt.Errorf("openapi.Base(%q): the path does not begin with /", path)
		}
		c.base = &path
	}
}

// Credentials gives the value for a security scheme of the description: a key, a token, or the name
// and password of a user with a colon between them. Most requests have them.
func Credentials(scheme, value string) Option {
	return func(c *config) { c.credentials[scheme] = value }
}

// Edit calls edit on each request before it is sent. What edit changes is not a part of reports. With
// Edit, the check ignored_auth is off: edit may give credentials, which nobody can take out again. Use
// [Credentials] instead.
func Edit(edit func(r *http.Request)) Option { return func(c *config) { c.edit = edit } }

// Examine adds a check: of a response to one request. If examine returns an error, the sequence
// fails. Examine may be called from several goroutines at once.
func Examine(name string, examine func(x *Exchange) error) Option {
	return func(c *config) {
		c.checks = append(c.checks, namedCheck{name: name, examine: func(_ *run, x *Exchange) error {
			return examine(x)
		}})
	}
}

// selected reports whether sequences have an operation.
func (c *config) selected(o *operation) bool {
	named := func(names []string) bool {
		return slices.Contains(names, o.name) || o.id != "" && slices.Contains(names, o.id)
	}
	return (len(c.only) == 0 || named(c.only)) && !named(c.skip)
}

// check returns an error if an option names what is not there.
func (c *config) check(s *Spec) error {
	var known []string
	for _, k := range slices.Concat(checks, undeclaredChecks[2:], c.checks) {
		known = append(known, k.name)
	}
	for _, name := range c.named {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no check %q: want one of %s", name, strings.Join(known, ", "))
		}
	}
	names := append(slices.Clone(c.only), c.skip...)
	for _, operations := range c.off {
		names = append(names, operations...)
	}
	for _, name := range names {
		if name != "" && !slices.ContainsFunc(s.operations, func(o *operation) bool {
			return o.name == name || o.id == name
		}) {
			return fmt.Errorf("the description has no operation %q", name)
		}
	}
	for name := range c.fixed {
		in, param, _ := strings.Cut(name, " ")
		has, what := func(o *operation) bool { return o.has(in, param) }, in+" parameter"
		if in == "body" {
			has, what = func(o *operation) bool { return o.hasField(param) }, "body with the property"
		}
		if !slices.ContainsFunc(s.operations, has) {
			return fmt.Errorf("openapi.Values: no operation has a %s %s", what, param)
		}
	}
	schemes := object(s.doc, "components", "securitySchemes")
	for name := range c.credentials {
		if schemes[name] == nil {
			return fmt.Errorf("openapi.Credentials: the description has no security scheme %q: want one of %q",
				name, sortedKeys(schemes))
		}
	}
	return c.err
}

// applies reports whether a check is on for an operation.
func (c *config) applies(k namedCheck, o *operation) bool {
	if k.optional && !slices.Contains(c.on, k.name) || k.name == "ignored_auth" && c.edit != nil {
		return false
	}
	off := c.off[k.name]
	return !slices.Contains(off, "") && !slices.Contains(off, o.name) &&
		(o.id == "" || !slices.Contains(off, o.id))
}

// basePath returns what precedes all paths.
func (c *config) basePath(s *Spec) string {
	if c.base != nil {
		return *c.base
	}
	servers := list(s.doc, "servers")
	if len(servers) == 0 {
		return ""
	}
	address := text(servers[0], "url")
	for name, v := range object(servers[0], "variables") {
		address = strings.ReplaceAll(address, "{"+name+"}", text(v, "default"))
	}
	if _, rest, whole := strings.Cut(address, "//"); whole { // the host may have variables
		_, address, _ = strings.Cut(rest, "/")
	}
	address, _, _ = strings.Cut(strings.Trim(address, "/"), "?")
	if address == "" {
		return ""
	}
	return escapeLiteral("/" + address)
}

// authorize gives a request the credentials of an operation: those that are known, or wrong ones. It
// reports whether it has any.
func (c *config) authorize(
	s *Spec, o *operation, r *request, wrong bool,
) (authorized bool, err error) {
	alternatives := slices.Clone(o.auth)
	slices.SortStableFunc(alternatives, func(a, b []string) int { return c.missing(a) - c.missing(b) })
	if len(alternatives) == 0 {
		return false, nil
	}
	for _, name := range alternatives[0] {
		value, known := c.credentials[name]
		switch {
		case wrong:
			value += "wrong"
		case !known:
			continue
		}
		scheme, err := follow(s.doc, object(s.doc, "components", "securitySchemes")[name])
		if err != nil {
			return false, err
		}
		if err := r.authorize(scheme, value); err != nil {
			return false, fmt.Errorf("security scheme %s: %w", name, err)
		}
		authorized = authorized || text(scheme, "type") != "mutualTLS"
	}
	return authorized, nil
}

// missing returns how many of some security schemes have no credentials.
func (c *config) missing(schemes []string) (n int) {
	for _, name := range schemes {
		if _, known := c.credentials[name]; !known {
			n++
		}
	}
	return n
}

func (r *request) authorize(scheme map[string]any, value string) error {
	kind, name := text(scheme, "type"), text(scheme, "name")
	switch in := text(scheme, "in"); {
	case kind == "apiKey" && in == "header":
		r.header.Set(name, value)
	case kind == "apiKey" && in == "query":
		r.query = strings.TrimPrefix(r.query+"&"+url.QueryEscape(name)+"="+url.QueryEscape(value), "&")
	case kind == "apiKey" && in == "cookie":
		cookie := name + "=" + value
		if old := r.header.Get("Cookie"); old != "" {
			cookie = old + "; " + cookie
		}
		r.header.Set("Cookie", cookie)
	case kind == "http" && strings.EqualFold(text(scheme, "scheme"), "basic"):
		r.header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(value)))
	case kind == "http" || kind == "oauth2" || kind == "openIdConnect":
		r.header.Set("Authorization", "Bearer "+value)
	case kind == "mutualTLS":
	default:
		return fmt.Errorf("its type is %q, in %q", kind, in)
	}
	return nil
}
