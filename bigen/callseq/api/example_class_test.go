package api_test

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// A Level is from 0 to 10.
type Level struct{ n int }

// Raise has a bug: it forgets the upper bound.
func (l *Level) Raise(by int) {
	if by < 0 {
		panic("level: a level is raised by what is not negative")
	}
	l.n += by
}

func NewLevel() *Level { return new(Level) }

// within is a promise about all levels.
func (l *Level) within() error {
	if l.n > 10 {
		return fmt.Errorf("%d is more than 10", l.n)
	}
	return nil
}

// levelCalls returns the API of levels, with options.
func levelCalls(opts ...api.Option) *api.API {
	return api.New(func(c *api.C) {
		levels := api.Type(c, "level", api.Holds("within", (*Level).within))
		numbers := api.Type(c, "by", api.Literals(bigen.OneOf(4, 0, -1)))
		c.Op("NewLevel", func() {
			level := levels.Result()
			c.Do(func() { level.V = NewLevel(); c.Got(level) })
		})
		c.Op("level.Raise", func() {
			level, by := levels.Arg("level"), numbers.Arg("by")
			c.Do(func() { level.V.Raise(by.V) })
		}).When(levels.Any)
	}, opts...)
}

// A contract takes the place of a model: it holds for each value of its type, after each call.
func ExampleHolds() {
	suite := levelCalls().Generate(api.Options{Seed: 1, Sequences: 300})
	for _, e := range suite.Errors {
		fmt.Println(e.Op, "-", e.Message, "-", len(e.Steps), "calls")
	}
	// Output:
	// Level breaks the contract "within" - contract of level1: 12 is more than 10 - 4 calls
}

// A panic with a message refuses an argument. Classify makes it an error.
func ExampleClassify() {
	class := func(o api.Outcome) api.Class {
		if o.Op == "level.Raise" && o.Panic != nil {
			return api.Error
		}
		return api.DefaultClass(o)
	}
	suite := levelCalls(api.Classify(class)).Generate(api.Options{Seed: 1, Sequences: 300})
	for _, e := range suite.Errors {
		fmt.Println(e.Op, "-", e.Message)
	}
	// Output:
	// level.Raise - panic: level: a level is raised by what is not negative
	// Level breaks the contract "within" - contract of level1: 12 is more than 10
}
