package bigen_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/espalier-go/espalier/bigen"
)

// Job is a type to derive a generator for.
type Job struct {
	Name    string        `bigen:"oneof=build|test|deploy"`
	Timeout time.Duration `bigen:"range=1s..1h"`
	Retries *uint8        `bigen:"range=0..5"`
	Needs   []*Job        `bigen:"nonnil"`
	OnDone  func()        `bigen:"-"`
}

// A derived generator runs both ways, as any other does.
func ExampleFor() {
	gen := bigen.For[Job]()
	fmt.Println(bigen.Choices(gen, Job{
		Name: "deploy", Timeout: time.Minute, Needs: []*Job{{Name: "test", Timeout: time.Hour}},
	}))
	fmt.Println(
		bigen.Check(gen, Job{Name: "deploy", Timeout: time.Minute, Needs: []*Job{{Name: "test"}}}),
	)
	// Output:
	// deploy, 60000000000, nil, more(test, 3600000000000, nil, stop), stop <nil>
	// not produced by the generator: at /Needs/0/Timeout: 0s not in [1s,1h0m0s]
}

// Variants lists what an interface may hold.
func ExampleVariants() {
	digits := bigen.With(bigen.IntRange[Num](0, 9))
	gen := bigen.For[Expr](bigen.Variants[Expr](Num(0), Add{}, Mul{}), digits)
	fmt.Println(bigen.Choices(gen, Expr(Mul{Num(2), Add{Num(3), Num(4)}})))
	// Output:
	// Mul(Num(2), Add(Num(3), Num(4))) <nil>
}

// Any JSON is what its decoder makes.
func ExampleJSON() {
	gen := bigen.JSON()
	fmt.Println(bigen.Choices(gen, any(map[string]any{"b": []any{"", nil}, "a": true})))
	fmt.Println(bigen.Check(gen, any([]any{1})))
	// Output:
	// "map[string]any"(more("a", bool(true)), more("b", "[]any"(more(string("")), more(nil), stop)), stop) <nil>
	// not produced by the generator: at /[]any/0: int is none of the variants nil, bool, float64, string, []any, map[string]any
}

// With puts a generator that keeps an invariant in its place.
func ExampleWith() {
	type window struct{ From, To uint8 }
	type schedule struct {
		Windows map[string]window
		Default window
	}
	ordered := bigen.Struct(func(c *bigen.C, w *window) {
		bigen.At(c, &w.From, bigen.IntRange[uint8](0, 23))
		bigen.At(c, &w.To, bigen.IntRange(w.From, 23))
	})
	gen := bigen.For[schedule](bigen.With(ordered))
	fmt.Println(bigen.Check(gen, schedule{map[string]window{"night": {22, 6}}, window{8, 18}}))
	// Output:
	// not produced by the generator: at /Windows/["night"]/To: 6 not in [22,23]
}

// Email has no exported fields: NewEmail makes one.
type Email struct{ user, host string }

func NewEmail(user, host string) (Email, error) {
	if user == "" || host == "" {
		return Email{}, errors.New("empty")
	}
	return Email{user, host}, nil
}

func (e Email) User() string { return e.user }
func (e Email) Host() string { return e.host }

// Construct makes values of types whose fields are out of reach.
func ExampleConstruct() {
	type parts struct {
		User string `bigen:"oneof=root|ada"`
		Host string `bigen:"oneof=localhost|example.com"`
	}
	email := bigen.Construct(
		func(p parts) Email {
			e, err := NewEmail(p.User, p.Host)
			if err != nil {
				panic(err)
			}
			return e
		},
		func(e Email) (parts, bool) { return parts{e.User(), e.Host()}, true },
	)
	gen := bigen.For[[]Email](email)
	ada, _ := NewEmail("ada", "example.com")
	bob, _ := NewEmail("bob", "example.com")
	fmt.Println(bigen.Choices(gen, []Email{ada}))
	fmt.Println(bigen.Check(gen, []Email{bob}))
	// Output:
	// more(ada, example.com), stop <nil>
	// not produced by the generator: at /0/User: none of the alternatives root, ada makes it: "bob" is not "root"
}

// Field sets one field apart from the others of its type.
func ExampleField() {
	type limits struct{ Soft, Hard int }
	type config struct{ Memory, Files limits }
	gen := bigen.For[config](
		bigen.Field(func(c *config) *int { return &c.Files.Soft }, bigen.IntRange(1, 1024)),
	)
	fmt.Println(bigen.Check(gen, config{}))
	// Output:
	// not produced by the generator: at /Files/Soft: 0 not in [1,1024]
}

func ExampleWithTag() {
	// One or two teams, each of up to three members, by the names of the teams.
	gen := bigen.For[map[string][]string](
		bigen.WithTag("key.len=1..8,len=1..2;..3;1..8,empty=;notnil"),
	)
	fmt.Println(bigen.Check(gen, map[string][]string{"red": {"Ann", "Bo"}, "blue": {}}))
	fmt.Println(bigen.Check(gen, map[string][]string{"red": {"Ann", ""}}))
	fmt.Println(bigen.Check(gen, map[string][]string{"blue": nil}))
	// Output:
	// <nil>
	// not produced by the generator: at /["red"]/1: 0 runes, fewer than 1
	// not produced by the generator: at /["blue"]: is nil; the generator makes it empty
}
