package containers_test

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/examples/containers"
	"github.com/espalier-go/espalier/fuzzext"
)

// calls has the exported functions, methods and fields of package containers as operations.
var calls = api.New(func(c *api.C) {
	// corpusgen api: begin. The next run rewrites what follows, up to the end.

	queues := api.Type[*containers.Queue[int]](c, "queue")
	ints := api.Type[int](c, "n", api.Literals(bigen.Prefer(bigen.IntRange[int](-10000, 10000), 0, 1, -1, 10, 100, 2, 4)))
	cursors := api.Type[*containers.Cursor[int]](c, "cursor")

	c.Op("new(containers.Queue[int])", func() {
		queue := queues.Result()
		c.Do(func() {
			queue.V = new(containers.Queue[int])
			c.Got(queue)
		})
	})

	c.Op("containers.NewQueue[int]", func() {
		queue := queues.Result()
		c.Do(func() {
			queue.V = containers.NewQueue[int]()
			c.Got(queue)
		})
	})

	c.Op("containers.NewQueue[int] with 1", func() {
		values, queue := ints.Arg("values"), queues.Result()
		c.Do(func() {
			queue.V = containers.NewQueue[int](values.V)
			c.Got(queue)
		})
	})

	c.Op("containers.NewQueue[int] with 2", func() {
		values1, values2, queue := ints.Arg("values1"), ints.Arg("values2"), queues.Result()
		c.Do(func() {
			queue.V = containers.NewQueue[int](values1.V, values2.V)
			c.Got(queue)
		})
	})

	c.Op("queue.Len", func() {
		queue := queues.Arg("queue")
		c.Do(func() { c.Got(queue.V.Len()) })
	}).When(queues.Any)

	c.Op("queue.Push", func() {
		queue, v := queues.Arg("queue"), ints.Arg("v")
		c.Do(func() { queue.V.Push(v.V) })
	}).When(queues.Any)

	c.Op("queue.Pop", func() {
		queue := queues.Arg("queue")
		c.Do(func() { c.Got(queue.V.Pop()) })
	}).When(queues.Any)

	c.Op("queue.Clear", func() {
		queue := queues.Arg("queue")
		c.Do(func() { queue.V.Clear() })
	}).When(queues.Any)

	c.Op("queue.Clone", func() {
		queue, result := queues.Arg("queue"), queues.Result()
		c.Do(func() {
			result.V = queue.V.Clone()
			c.Got(result)
		})
	}).When(queues.Any)

	c.Op("queue.Equal", func() {
		queue, r := queues.Arg("queue"), queues.Arg("r")
		c.Do(func() { c.Got(queue.V.Equal(r.V)) })
	}).When(queues.Any)

	c.Op("queue.String", func() {
		queue := queues.Arg("queue")
		c.Do(func() { c.Got(queue.V.String()) })
	}).When(queues.Any)

	c.Op("queue.Values", func() {
		queue := queues.Arg("queue")
		c.Do(func() { c.Got(queue.V.Values()) })
	}).When(queues.Any)

	c.Op("queue.Cursor", func() {
		queue, cursor := queues.Arg("queue"), cursors.Result()
		c.Do(func() {
			cursor.V = queue.V.Cursor()
			c.Got(cursor)
		})
	}).When(queues.Any)

	c.Op("cursor.Next", func() {
		cursor := cursors.Arg("cursor")
		c.Do(func() { c.Got(cursor.V.Next()) })
	}).When(cursors.Any)

	c.Op("cursor.Value", func() {
		cursor := cursors.Arg("cursor")
		c.Do(func() { c.Got(cursor.V.Value()) })
	}).When(cursors.Any)

	// corpusgen api: end.
})

func TestCalls(t *testing.T) { fuzzext.Sequence(t, calls, fuzzext.Timeout(10*time.Second)) }

func FuzzCalls(f *testing.F) { fuzzext.Sequence(f, calls) }
