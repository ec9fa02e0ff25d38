// Package form has bugs of github.com/go-playground/form/v4.
package form

import (
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"github.com/go-playground/form/v4"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/form"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[lists]{
		Name:   "form/3",
		Title:  "the encoder drops nil elements of a slice of interfaces, so later ones move",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, v *lists) {
			bigen.At(c, &v.Texts, bigen.SliceOf(genText, 0, 4))
			bigen.At(c, &v.Pointers, bigen.SliceOf(bigen.Ptr(genText), 0, 4))
			bigen.At(c, &v.Values, bigen.SliceOf(bigen.Pick(
				bigen.Tag("nil", bigen.Just[any](nil)),
				bigen.Tag("text", bigen.Any(genText)),
			), 0, 4))
		}),
		Rapid: func(t *rapid.T) lists {
			text := rapid.StringMatching(texts)
			values := rapid.OneOf(rapid.Just[any](nil), text.AsAny())
			return lists{
				rapid.SliceOfN(text, 0, 4).Draw(t, "texts"),
				rapid.SliceOfN(rapid.Ptr(text, true), 0, 4).Draw(t, "pointers"),
				rapid.SliceOfN(values, 0, 4).Draw(t, "values"),
			}
		},
		Fails: func(v lists) string { return roundTrip(v.trimmed()) },
	}),
	bug.New(bug.Spec[map[string]string]{
		Name:   "form/5",
		Title:  "keys of maps with brackets do not survive a round trip",
		Source: source,
		Gen:    bigen.MapOf(bigen.Matching(keys), genText, 0, 4),
		Rapid: func(t *rapid.T) map[string]string {
			return rapid.MapOfN(rapid.StringMatching(keys), rapid.StringMatching(texts), 0, 4).Draw(t, "map")
		},
		Fails: func(m map[string]string) string {
			if len(m) == 0 {
				m = nil
			}
			return roundTrip(struct{ M map[string]string }{m})
		},
	}),
	bug.New(bug.Spec[update]{
		Name:   "form/4",
		Title:  "a time that does not parse sets the field to the zero time",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, u *update) {
			bigen.At(c, &u.Old, bigen.Struct(func(c *bigen.C, f *fields) {
				bigen.At(c, &f.N, bigen.IntRange(0, 99))
				bigen.At(c, &f.B, bigen.Bool())
				bigen.At(c, &f.T, genTime)
				bigen.At(c, &f.P, bigen.Ptr(genTime))
			}))
			bigen.At(c, &u.N, bigen.Matching(`[0-9]{0,4}|[a-z]{1,3}`))
			bigen.At(c, &u.B, bigen.Matching(`true|false|[a-z]{0,3}`))
			bigen.At(c, &u.T, bigen.Matching(times))
			bigen.At(c, &u.P, bigen.Matching(times))
		}),
		Rapid: func(t *rapid.T) update {
			when := rapid.Map(rapid.Int64Range(begin.Unix(), end.Unix()), func(s int64) time.Time {
				return time.Unix(s, 0).UTC()
			})
			return update{
				fields{
					rapid.IntRange(0, 99).Draw(t, "old n"), rapid.Bool().Draw(t, "old b"),
					when.Draw(t, "old t"), rapid.Ptr(when, true).Draw(t, "old p"),
				},
				rapid.StringMatching(`[0-9]{0,4}|[a-z]{1,3}`).Draw(t, "n"),
				rapid.StringMatching(`true|false|[a-z]{0,3}`).Draw(t, "b"),
				rapid.StringMatching(times).Draw(t, "t"), rapid.StringMatching(times).Draw(t, "p"),
			}
		},
		Fails: func(u update) string {
			got := u.Old
			err := form.NewDecoder().Decode(&got, url.Values{"N": {u.N}, "B": {u.B}, "T": {u.T}, "P": {u.P}})
			failed, _ := err.(form.DecodeErrors)
			for i := range reflect.TypeFor[fields]().NumField() {
				name := reflect.TypeFor[fields]().Field(i).Name
				before, after := reflect.ValueOf(u.Old).Field(i).Interface(),
					reflect.ValueOf(got).Field(i).Interface()
				if failed[name] != nil && !reflect.DeepEqual(before, after) {
					return fmt.Sprintf("%s: %v becomes %v besides the error %v", name, before, after, failed[name])
				}
			}
			return ""
		},
	}),
}

const (
	texts = `[a-z]{1,4}`
	keys  = `[ -~]{1,4}`
	times = `20[0-9]{2}-0[1-9]-[12][0-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z|[a-z]{1,3}`
)

var (
	begin, end = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	genText = bigen.Matching(texts)
	genTime = bigen.Iso(bigen.IntRange(begin.Unix(), end.Unix()),
		func(s int64) time.Time { return time.Unix(s, 0).UTC() },
		func(t time.Time) (int64, bool) { return t.Unix(), true })
)

// A lists value has lists of several kinds of texts.
type lists struct {
	Texts    []string
	Pointers []*string
	Values   []any
}

// trimmed returns the lists without nil elements at their ends, which a form cannot hold.
func (v lists) trimmed() lists {
	return lists{
		Texts:    trim(v.Texts, func(string) bool { return false }),
		Pointers: trim(v.Pointers, func(p *string) bool { return p == nil }),
		Values:   trim(v.Values, func(v any) bool { return v == nil }),
	}
}

func trim[V any](s []V, empty func(V) bool) []V {
	n := len(s)
	for n > 0 && empty(s[n-1]) {
		n--
	}
	if n == 0 {
		return nil
	}
	return s[:n]
}

// roundTrip encodes a struct and decodes that.
func roundTrip[S any](s S) string {
	values, err := form.NewEncoder().Encode(s)
	if err != nil {
		return err.Error()
	}
	var got S
	if err := form.NewDecoder().Decode(&got, values); err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(got, s) {
		return fmt.Sprintf("%s is decoded to %+v, not %+v", strconv.Quote(values.Encode()), got, s)
	}
	return ""
}

type fields struct {
	N int
	B bool
	T time.Time
	P *time.Time
}

// An update has what is decoded into fields that have values.
type update struct {
	Old        fields
	N, B, T, P string
}
