// Package sshconfig has bugs of github.com/kevinburke/ssh_config.
package sshconfig

import (
	"fmt"
	"path"
	"strings"

	"github.com/kevinburke/ssh_config"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/ssh_config"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[query]{
		Name:   "sshconfig/2",
		Title:  "the wildcard ? matches no character, too",
		Source: source,
		Gen:    genQuery("[ab*?]{1,3}", "Host"),
		Rapid:  rapidQuery("[ab*?]{1,3}", "Host"),
		Fails:  query.mismatch,
	}),
	bug.New(bug.Spec[query]{
		Name:   "sshconfig/4",
		Title:  "Match host matches the alias, not the HostName",
		Source: source,
		Gen:    genQuery("[ab*]{1,3}", "Host", "Match host"), // without ?, for sshconfig/2
		Rapid:  rapidQuery("[ab*]{1,3}", "Host", "Match host"),
		Fails:  query.mismatch,
	}),
}

// A block is for hosts that match a pattern.
type block struct {
	Keyword, Pattern string
	Settings         []setting
}

type setting struct{ Key, Value string }

// A query asks for what a configuration sets for a host.
type query struct {
	Blocks     []block
	Alias, Key string
}

func (q query) String() string {
	var b strings.Builder
	for _, x := range q.Blocks {
		fmt.Fprintf(&b, "%s %s\n", x.Keyword, x.Pattern)
		for _, s := range x.Settings {
			fmt.Fprintf(&b, "  %s %s\n", s.Key, s.Value)
		}
	}
	return b.String()
}

// value is what ssh_config(5) says: the first value counts, and Match host is about the host name
// so far.
func (q query) value() string {
	first := map[string]string{}
	for _, b := range q.Blocks {
		host := q.Alias
		if name := first["HostName"]; b.Keyword != "Host" && name != "" {
			host = name
		}
		if ok, err := path.Match(b.Pattern, host); err != nil || !ok {
			continue
		}
		for _, s := range b.Settings {
			if first[s.Key] == "" {
				first[s.Key] = s.Value
			}
		}
	}
	return first[q.Key]
}

func (q query) mismatch() string {
	config, err := ssh_config.DecodeBytes([]byte(q.String()))
	if err != nil {
		return err.Error()
	}
	got, err := config.Get(q.Alias, q.Key)
	if want := q.value(); err != nil || got != want {
		return fmt.Sprintf("the %s of %s is %q, %v; want %q:\n%s", q.Key, q.Alias, got, err, want, q)
	}
	return ""
}

var keys = []string{"HostName", "User", "IdentityFile"}

const (
	mostBlocks   = 4
	mostSettings = 3
	name         = "[ab]{1,3}"
)

func genQuery(pattern string, keywords ...string) bigen.Gen[query] {
	blocks := bigen.SliceOf(bigen.Struct(func(c *bigen.C, b *block) {
		bigen.At(c, &b.Keyword, bigen.OneOf(keywords...))
		bigen.At(c, &b.Pattern, bigen.Matching(pattern))
		bigen.At(c, &b.Settings, bigen.SliceOf(bigen.Struct(func(c *bigen.C, s *setting) {
			bigen.At(c, &s.Key, bigen.OneOf(keys...))
			bigen.At(c, &s.Value, bigen.Matching(name))
		}), 0, mostSettings))
	}), 0, mostBlocks)
	return bigen.Struct(func(c *bigen.C, q *query) {
		bigen.At(c, &q.Blocks, blocks)
		bigen.At(c, &q.Alias, bigen.Matching(name))
		bigen.At(c, &q.Key, bigen.OneOf(keys...))
	})
}

func rapidQuery(pattern string, keywords ...string) func(t *rapid.T) query {
	settings := rapid.Custom(func(t *rapid.T) setting {
		return setting{rapid.SampledFrom(keys).Draw(t, "key"),
			rapid.StringMatching(name).Draw(t, "value")}
	})
	blocks := rapid.Custom(func(t *rapid.T) block {
		return block{
			Keyword:  rapid.SampledFrom(keywords).Draw(t, "keyword"),
			Pattern:  rapid.StringMatching(pattern).Draw(t, "pattern"),
			Settings: rapid.SliceOfN(settings, 0, mostSettings).Draw(t, "settings"),
		}
	})
	return func(t *rapid.T) query {
		return query{
			Blocks: rapid.SliceOfN(blocks, 0, mostBlocks).Draw(t, "blocks"),
			Alias:  rapid.StringMatching(name).Draw(t, "alias"),
			Key:    rapid.SampledFrom(keys).Draw(t, "key"),
		}
	}
}
