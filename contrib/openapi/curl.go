package openapi

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// An origin is where a response says what names an instance: nowhere, if neither is set.
type origin struct {
	location bool    // at the end of its header Location
	pointer  *string // to a part of its body
}

func inBody(pointer string) origin { return origin{pointer: &pointer} }

// known reports whether later requests can take the name from the response.
func (o origin) known() bool { return o.location || o.pointer != nil }

// goCode returns Go code of the name, with the response as %v; or "".
func (o origin) goCode() string {
	switch {
	case o.location:
		return `path.Base(%v.Header().Get("Location"))`
	case o.pointer != nil:
		return fmt.Sprintf("openapi.Value(%%v, %q)", *o.pointer)
	}
	return ""
}

// shell returns flags of curl, a command that takes the name from what it writes then, and how that
// is called in a comment.
func (o origin) shell(name any) (flags, filter, from string) {
	if o.location {
		return "-si", `tr -d '\r' | sed -n 's,^[Ll]ocation:.*/,,p'`, "the end of its header Location"
	}
	path := ""
	for _, key := range strings.Split(*o.pointer, "/")[1:] {
		key = pointerUnescape.Replace(key)
		switch _, err := strconv.Atoi(key); {
		case err == nil:
			path += "[" + key + "]"
		case plainKey.MatchString(key):
			path += "." + key
		default:
			path += fmt.Sprintf("[%q]", key)
		}
	}
	if from = path; path == "" || path[0] == '[' {
		path = "." + path
	}
	if text := plainText(name); url.PathEscape(text) != text {
		path += "|@uri"
	}
	if strings.ContainsAny(path, `["|`) {
		path = shell(path)
	}
	return "-s", "jq -r " + path, strings.TrimSpace(from + " of its response")
}

var plainKey = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// maxCommands is how many requests a report has at most as commands.
const maxCommands = 20

// curl returns commands that send the first n requests of the run to a server on this machine. What
// a response names, and a later request has in its path, is in a variable of the shell.
func (r *run) curl(n int) string {
	used := map[*instance]bool{}
	for _, x := range r.sent[:n] {
		if len(x.code) > 0 {
			used[x.of] = true
		}
	}
	var lines []string
	for i, x := range r.sent[:n] {
		if i < n-maxCommands {
			lines = []string{fmt.Sprintf("# %d requests", i+1)}
			continue
		}
		name := ""
		if len(x.code) > 0 {
			name = string(r.nameOf(x.of))
		}
		command := x.request.curl(x.operation, r.base, x.code, name)
		var first *instance
		for _, made := range x.made {
			switch {
			case !used[made] || x.repeated:
			case first == nil:
				flags, filter, from := made.from.shell(made.value)
				command = fmt.Sprintf("%s=$(%s | %s) # %s", r.nameOf(made),
					strings.Replace(command, "curl", "curl "+flags, 1), filter, from)
				first = made
			case first.value == made.value:
				command += fmt.Sprintf("\n%s=$%s", r.nameOf(made), r.nameOf(first))
			default:
				_, _, from := made.from.shell(made.value)
				value := shell(plainText(made.value))
				command += fmt.Sprintf("\n%s=%s # %s", r.nameOf(made), value, from)
			}
		}
		lines = append(lines, command)
	}
	return strings.Join(lines, "\n")
}

// curl returns a command that sends the request to a server on this machine. In place of the
// parameters of the path that code has, it has a variable of the shell.
func (r *request) curl(o *operation, base string, code map[string]string, variable string) string {
	var b strings.Builder
	b.WriteString("curl")
	switch r.method {
	case http.MethodGet:
	case http.MethodHead:
		b.WriteString(" -I")
	default:
		b.WriteString(" -X " + r.method)
	}
	const server = "http://localhost:8080"
	address := server + base
	for i, p := range o.path.parts {
		if p.param && code[p.text] != "" {
			address += "\x00"
		} else {
			address += r.pieces[i]
		}
	}
	if r.query != "" {
		address += "?" + r.query
	}
	b.WriteString(" " + withVariable(address, variable))
	for _, name := range sortedKeys(r.header) {
		b.WriteString(" -H " + shell(name+": "+r.header.Get(name)))
	}
	if len(r.body) > 0 {
		b.WriteString(" --data-raw " + shell(string(r.body)))
	}
	return b.String()
}

// withVariable returns a text as a word of a shell, with a variable in place of each zero byte.
func withVariable(s, variable string) string {
	literals := strings.Split(s, "\x00")
	switch {
	case len(literals) == 1:
		return shell(s)
	case strings.ContainsAny(s, "\"$`!\\"): // which mean something within quotes
		for i, l := range literals {
			literals[i] = shell(l)
		}
		return strings.Join(literals, `"$`+variable+`"`)
	}
	return `"` + strings.Join(literals, "${"+variable+"}") + `"`
}

// shell returns a text as a word of a POSIX shell.
func shell(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		q := strconv.Quote(s)
		return "$" + "'" + strings.ReplaceAll(q[1:len(q)-1], "'", `\'`) + "'" // bash and others know that
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
