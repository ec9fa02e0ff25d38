package bigen

import (
	"net/url"
	"reflect"
	"strings"
	"unsafe"
)

// URL makes URLs, absolute and relative: with or without a host, which may be an IPv6
// address, a port and a user; with any of path, query and fragment, which may have
// escapes; and opaque ones, such as mailto:gopher@example.com. [url.Parse] takes what
// u.String() returns back to an equal URL. Backward, it accepts all such URLs, except
// those that are not parsed from ASCII, and some with parts that url.Parse accepts
// and RFC 3986 does not.
func URL() Gen[*url.URL] { return Gen[*url.URL]{u: untyped{op: urlOp{}}} }

// urlOp makes the URLs of texts that are as [url.URL.String] writes them.
type urlOp struct{}

var urlText onDemand[Gen[string]]

func newURLText() Gen[string] {
	return SuchThat(Matching(urlExpr()), func(s string) bool {
		u, err := url.Parse(s)
		return err == nil && u.String() == s
	})
}

// urlExpr returns an expression for the texts. Where it lets pass some that are
// not as String writes them, a test throws them away.
func urlExpr() string {
	s := `(?:ABSOLUTE|RELATIVE|OPAQUE)(?:\?(?:QUERY))?(?:#(?:FRAGMENT))?`
	for _, part := range urlParts {
		s = strings.ReplaceAll(s, part.name, part.expr)
	}
	return s
}

// urlParts tells what the names in an expression stand for; a part uses later
// ones. Runs are short, and repeated where they may be longer, so that random URLs
// are not long.
var urlParts = []struct{ name, expr string }{
	{"ABSOLUTE", `(?P<absolute>SCHEME:(?://AUTHORITY(?:/SEGMENT)*|//(?:/SEGMENT)+|(?:/SEGMENT)*))`},
	{"RELATIVE", `(?P<relative>//AUTHORITY(?:/SEGMENT)*|(?:/SEGMENT)*|FIRST(?:/SEGMENT)*)`},
	{"OPAQUE", `(?P<opaque>SCHEME:(?:(?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)*)|` +
		`(?P<other>[^/?#\x00-\x20\x7F][^?#\x00-\x1F\x7F]*)))`},
	{"QUERY", `(?P<pairs>PAIR(?:&PAIR)*)|(?P<any>[^#\x00-\x1F\x7F]*)`},
	{"FRAGMENT", `(?P<plain>[\w./-]{1,20})|(?P<escaped>(?:[/?PCHAR]{1,9}|%HEX)+)`},
	{"SCHEME", `(?:https?|file|wss?|[a-z][a-z0-9+.-]{0,39})`},
	{"AUTHORITY", `(?:USER(?::USER)?@)?(?:NAME|\[(?:IPV6)\])(?::\d{0,5})?`},
	// As String writes them, a user's %XX stands for what must be escaped there.
	{"USER", `(?:[\w.~$&+,;=-]{1,9}|` +
		`%(?:[01][\dA-F]|2[0-35789AF]|3[ACEF]|40|5[B-E]|60|7[BCDF]|[89A-F][\dA-F]))*`},
	{"NAME", `[\w-]{1,9}(?:\.[\w-]{1,9})*\.?|(?:[\w.~!$&'()*+,;=-]{1,9}|%[89A-F][\dA-F])+`},
	{"IPV6", `(?:ADDRESS)(?:%25[\w.~-]+)?`},
	{"ADDRESS", `(?:GROUP:){7}GROUP|(?:GROUP:){1,7}:|(?:GROUP:){1,6}:GROUP|` +
		`(?:GROUP:){1,5}(?::GROUP){1,2}|(?:GROUP:){1,4}(?::GROUP){1,3}|` +
		`(?:GROUP:){1,3}(?::GROUP){1,4}|(?:GROUP:){1,2}(?::GROUP){1,5}|` +
		`GROUP:(?::GROUP){1,6}|:(?::GROUP){1,7}|::(?:ffff:)?BYTE(?:\.BYTE){3}|::`},
	{"GROUP", `[\dA-Fa-f]{1,4}`},
	{"BYTE", `(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])`},
	{"SEGMENT", `(?:[\w.-]{0,20}|(?:[PCHAR]{1,9}|%HEX)*)`},
	{"FIRST", `(?:[\w.-]{1,20}|(?:[\w.~!$&'()*+,;=@-]{1,9}|%HEX)+)`},
	{"PAIR", `[\w.-]{1,9}=(?:[\w.~+-]{1,9}|%HEX)*`},
	{"PCHAR", `\w.~!$&'()*+,;=:@\[\]-`},
	{"HEX", `[\dA-Fa-f]{2}`},
}

func (urlOp) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (**url.URL)(u)
	g := urlText.get(newURLText)
	var s string
	makeBy(c, &g, &s)
	*p, _ = url.Parse(s)
}

func (urlOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (**url.URL)(u)
	if *p == nil {
		return c.fail(byNil, "is nil")
	}
	s := (*p).String()
	parsed, err := url.Parse(s)
	if err != nil {
		return c.explain != nil && c.fail(byValue, "its String does not parse: %v", err)
	}
	if !reflect.DeepEqual(parsed, *p) {
		return c.explain != nil && c.fail(byValue, "its String, %q, is parsed as another URL", s)
	}
	g := urlText.get(newURLText)
	return readBy(c, &g, &s)
}
