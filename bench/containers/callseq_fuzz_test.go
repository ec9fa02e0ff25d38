package containers

import (
	"cmp"
	"container/heap"
	"container/list"
	"container/ring"

	"github.com/emirpasic/gods/v2/trees/binaryheap"
	"github.com/emirpasic/gods/v2/trees/redblacktree"
	"github.com/emirpasic/gods/v2/utils"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// calls has 94 operations: all functions and methods of five packages.
var calls = api.New(func(c *api.C) {
	trees := api.Type[*redblacktree.Tree[int, string]](c, "tree")
	nodes := api.Type[*redblacktree.Node[int, string]](c, "node")
	iterators := api.Type[*redblacktree.Iterator[int, string]](c, "iterator")
	binaries := api.Type[*binaryheap.Heap[int]](c, "binary")
	places := api.Type[*binaryheap.Iterator[int]](c, "place")
	lists := api.Type[*list.List](c, "list")
	elements := api.Type[*list.Element](c, "element")
	rings := api.Type[*ring.Ring](c, "ring")
	intHeaps := api.Type[*IntHeap](c, "intHeap")

	ints := api.Type[int](c, "int", api.Literals(bigen.OneOf(-1, 0, 1, 10, 100)))
	strings := api.Type[string](c, "string", api.Literals(bigen.OneOf("", "a", "hi!")))
	documents := api.Type[[]byte](c, "document",
		api.Expr(`[]byte("")`, []byte("")), api.Expr(`[]byte("[]")`, []byte("[]")), api.Expr(`[]byte("[2,1]")`, []byte("[2,1]")), api.Expr(`[]byte("{\"1\":\"a\"}")`, []byte(`{"1":"a"}`)))
	compares := api.Type[utils.Comparator[int]](c, "compare", api.Expr[utils.Comparator[int]]("cmp.Compare[int]", cmp.Compare[int]))
	pairs := api.Type[func(int, string) bool](c, "pair",
		api.Expr("func(int, string) bool { return true }", func(int, string) bool { return true }),
		api.Expr("func(int, string) bool { return false }", func(int, string) bool { return false }))
	indexes := api.Type[func(int, int) bool](c, "index",
		api.Expr("func(int, int) bool { return true }", func(int, int) bool { return true }),
		api.Expr("func(int, int) bool { return false }", func(int, int) bool { return false }))
	visits := api.Type[func(any)](c, "visit", api.Expr("func(any) {}", func(any) {}))
	values := api.Type[any](c, "value", api.Literals(bigen.OneOf[any](-1, 0, 1, 10, 100, "", "hi!")))

	c.Op("redblacktree.New[int, string]", func() {
		result := trees.Result()
		c.Do(func() { result.V = redblacktree.New[int, string](); c.Got(result) })
	})
	c.Op("redblacktree.NewWith[int, string]", func() {
		compare, result := compares.Arg("compare"), trees.Result()
		c.Do(func() { result.V = redblacktree.NewWith[int, string](compare.V); c.Got(result) })
	})
	c.Op("tree.Ceiling", func() {
		tree, key, result := trees.Arg("tree"), ints.Arg("key"), nodes.Result()
		c.Do(func() { var ok bool; result.V, ok = tree.V.Ceiling(key.V); c.Got(result, ok) })
	}).When(trees.Any)
	c.Op("tree.Clear", func() {
		tree := trees.Arg("tree")
		c.Do(func() { tree.V.Clear() })
	}).When(trees.Any)
	c.Op("tree.Empty", func() {
		tree := trees.Arg("tree")
		c.Do(func() { c.Got(tree.V.Empty()) })
	}).When(trees.Any)
	c.Op("tree.Floor", func() {
		tree, key, result := trees.Arg("tree"), ints.Arg("key"), nodes.Result()
		c.Do(func() { var ok bool; result.V, ok = tree.V.Floor(key.V); c.Got(result, ok) })
	}).When(trees.Any)
	c.Op("tree.FromJSON", func() {
		tree, data := trees.Arg("tree"), documents.Arg("data")
		c.Do(func() { c.Got(tree.V.FromJSON(data.V)) })
	}).When(trees.Any)
	c.Op("tree.Get", func() {
		tree, key := trees.Arg("tree"), ints.Arg("key")
		c.Do(func() { c.Got(tree.V.Get(key.V)) })
	}).When(trees.Any)
	c.Op("tree.GetNode", func() {
		tree, key, result := trees.Arg("tree"), ints.Arg("key"), nodes.Result()
		c.Do(func() { result.V = tree.V.GetNode(key.V); c.Got(result) })
	}).When(trees.Any)
	c.Op("tree.Iterator", func() {
		tree, result := trees.Arg("tree"), iterators.Result()
		c.Do(func() { result.V = tree.V.Iterator(); c.Got(result) })
	}).When(trees.Any)
	c.Op("tree.IteratorAt", func() {
		tree, node, result := trees.Arg("tree"), nodes.Arg("node"), iterators.Result()
		c.Do(func() { result.V = tree.V.IteratorAt(node.V); c.Got(result) })
	}).When(api.Any(trees, nodes))
	c.Op("tree.Keys", func() {
		tree := trees.Arg("tree")
		c.Do(func() { c.Got(tree.V.Keys()) })
	}).When(trees.Any)
	c.Op("tree.Left", func() {
		tree, result := trees.Arg("tree"), nodes.Result()
		c.Do(func() { result.V = tree.V.Left(); c.Got(result) })
	}).When(trees.Any)
	c.Op("tree.MarshalJSON", func() {
		tree, result := trees.Arg("tree"), documents.Result()
		c.Do(func() { var err error; result.V, err = tree.V.MarshalJSON(); c.Got(result, err) })
	}).When(trees.Any)
	c.Op("tree.Put", func() {
		tree, key, value := trees.Arg("tree"), ints.Arg("key"), strings.Arg("value")
		c.Do(func() { tree.V.Put(key.V, value.V) })
	}).When(trees.Any)
	c.Op("tree.Remove", func() {
		tree, key := trees.Arg("tree"), ints.Arg("key")
		c.Do(func() { tree.V.Remove(key.V) })
	}).When(trees.Any)
	c.Op("tree.Right", func() {
		tree, result := trees.Arg("tree"), nodes.Result()
		c.Do(func() { result.V = tree.V.Right(); c.Got(result) })
	}).When(trees.Any)
	c.Op("tree.Size", func() {
		tree := trees.Arg("tree")
		c.Do(func() { c.Got(tree.V.Size()) })
	}).When(trees.Any)
	c.Op("tree.String", func() {
		tree := trees.Arg("tree")
		c.Do(func() { c.Got(tree.V.String()) })
	}).When(trees.Any)
	c.Op("tree.ToJSON", func() {
		tree, result := trees.Arg("tree"), documents.Result()
		c.Do(func() { var err error; result.V, err = tree.V.ToJSON(); c.Got(result, err) })
	}).When(trees.Any)
	c.Op("tree.UnmarshalJSON", func() {
		tree, bytes := trees.Arg("tree"), documents.Arg("bytes")
		c.Do(func() { c.Got(tree.V.UnmarshalJSON(bytes.V)) })
	}).When(trees.Any)
	c.Op("tree.Values", func() {
		tree := trees.Arg("tree")
		c.Do(func() { c.Got(tree.V.Values()) })
	}).When(trees.Any)
	c.Op("iterator.Begin", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { iterator.V.Begin() })
	}).When(iterators.Any)
	c.Op("iterator.End", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { iterator.V.End() })
	}).When(iterators.Any)
	c.Op("iterator.First", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { c.Got(iterator.V.First()) })
	}).When(iterators.Any)
	c.Op("iterator.Key", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { c.Got(iterator.V.Key()) })
	}).When(iterators.Any)
	c.Op("iterator.Last", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { c.Got(iterator.V.Last()) })
	}).When(iterators.Any)
	c.Op("iterator.Next", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { c.Got(iterator.V.Next()) })
	}).When(iterators.Any)
	c.Op("iterator.NextTo", func() {
		iterator, f := iterators.Arg("iterator"), pairs.Arg("f")
		c.Do(func() { c.Got(iterator.V.NextTo(f.V)) })
	}).When(iterators.Any)
	c.Op("iterator.Node", func() {
		iterator, result := iterators.Arg("iterator"), nodes.Result()
		c.Do(func() { result.V = iterator.V.Node(); c.Got(result) })
	}).When(iterators.Any)
	c.Op("iterator.Prev", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { c.Got(iterator.V.Prev()) })
	}).When(iterators.Any)
	c.Op("iterator.PrevTo", func() {
		iterator, f := iterators.Arg("iterator"), pairs.Arg("f")
		c.Do(func() { c.Got(iterator.V.PrevTo(f.V)) })
	}).When(iterators.Any)
	c.Op("iterator.Value", func() {
		iterator := iterators.Arg("iterator")
		c.Do(func() { c.Got(iterator.V.Value()) })
	}).When(iterators.Any)
	c.Op("node.Size", func() {
		node := nodes.Arg("node")
		c.Do(func() { c.Got(node.V.Size()) })
	}).When(nodes.Any)
	c.Op("node.String", func() {
		node := nodes.Arg("node")
		c.Do(func() { c.Got(node.V.String()) })
	}).When(nodes.Any)
	c.Op("binaryheap.New[int]", func() {
		result := binaries.Result()
		c.Do(func() { result.V = binaryheap.New[int](); c.Got(result) })
	})
	c.Op("binaryheap.NewWith[int]", func() {
		compare, result := compares.Arg("compare"), binaries.Result()
		c.Do(func() { result.V = binaryheap.NewWith[int](compare.V); c.Got(result) })
	})
	c.Op("binary.Clear", func() {
		binary := binaries.Arg("binary")
		c.Do(func() { binary.V.Clear() })
	}).When(binaries.Any)
	c.Op("binary.Empty", func() {
		binary := binaries.Arg("binary")
		c.Do(func() { c.Got(binary.V.Empty()) })
	}).When(binaries.Any)
	c.Op("binary.FromJSON", func() {
		binary, data := binaries.Arg("binary"), documents.Arg("data")
		c.Do(func() { c.Got(binary.V.FromJSON(data.V)) })
	}).When(binaries.Any)
	c.Op("binary.Iterator", func() {
		binary, result := binaries.Arg("binary"), places.Result()
		c.Do(func() { result.V = binary.V.Iterator(); c.Got(result) })
	}).When(binaries.Any)
	c.Op("binary.MarshalJSON", func() {
		binary, result := binaries.Arg("binary"), documents.Result()
		c.Do(func() { var err error; result.V, err = binary.V.MarshalJSON(); c.Got(result, err) })
	}).When(binaries.Any)
	c.Op("binary.Peek", func() {
		binary := binaries.Arg("binary")
		c.Do(func() { c.Got(binary.V.Peek()) })
	}).When(binaries.Any)
	c.Op("binary.Pop", func() {
		binary := binaries.Arg("binary")
		c.Do(func() { c.Got(binary.V.Pop()) })
	}).When(binaries.Any)
	c.Op("binary.Push", func() {
		binary, a, b := binaries.Arg("binary"), ints.Arg("a"), ints.Arg("b")
		c.Do(func() { binary.V.Push(a.V, b.V) })
	}).When(binaries.Any)
	c.Op("binary.Size", func() {
		binary := binaries.Arg("binary")
		c.Do(func() { c.Got(binary.V.Size()) })
	}).When(binaries.Any)
	c.Op("binary.String", func() {
		binary := binaries.Arg("binary")
		c.Do(func() { c.Got(binary.V.String()) })
	}).When(binaries.Any)
	c.Op("binary.ToJSON", func() {
		binary, result := binaries.Arg("binary"), documents.Result()
		c.Do(func() { var err error; result.V, err = binary.V.ToJSON(); c.Got(result, err) })
	}).When(binaries.Any)
	c.Op("binary.UnmarshalJSON", func() {
		binary, bytes := binaries.Arg("binary"), documents.Arg("bytes")
		c.Do(func() { c.Got(binary.V.UnmarshalJSON(bytes.V)) })
	}).When(binaries.Any)
	c.Op("binary.Values", func() {
		binary := binaries.Arg("binary")
		c.Do(func() { c.Got(binary.V.Values()) })
	}).When(binaries.Any)
	c.Op("place.Begin", func() {
		place := places.Arg("place")
		c.Do(func() { place.V.Begin() })
	}).When(places.Any)
	c.Op("place.End", func() {
		place := places.Arg("place")
		c.Do(func() { place.V.End() })
	}).When(places.Any)
	c.Op("place.First", func() {
		place := places.Arg("place")
		c.Do(func() { c.Got(place.V.First()) })
	}).When(places.Any)
	c.Op("place.Index", func() {
		place := places.Arg("place")
		c.Do(func() { c.Got(place.V.Index()) })
	}).When(places.Any)
	c.Op("place.Last", func() {
		place := places.Arg("place")
		c.Do(func() { c.Got(place.V.Last()) })
	}).When(places.Any)
	c.Op("place.Next", func() {
		place := places.Arg("place")
		c.Do(func() { c.Got(place.V.Next()) })
	}).When(places.Any)
	c.Op("place.NextTo", func() {
		place, f := places.Arg("place"), indexes.Arg("f")
		c.Do(func() { c.Got(place.V.NextTo(f.V)) })
	}).When(places.Any)
	c.Op("place.Prev", func() {
		place := places.Arg("place")
		c.Do(func() { c.Got(place.V.Prev()) })
	}).When(places.Any)
	c.Op("place.PrevTo", func() {
		place, f := places.Arg("place"), indexes.Arg("f")
		c.Do(func() { c.Got(place.V.PrevTo(f.V)) })
	}).When(places.Any)
	c.Op("place.Value", func() {
		place := places.Arg("place")
		c.Do(func() { c.Got(place.V.Value()) })
	}).When(places.Any)
	c.Op("list.New", func() {
		result := lists.Result()
		c.Do(func() { result.V = list.New(); c.Got(result) })
	})
	c.Op("new(list.List)", func() {
		result := lists.Result()
		c.Do(func() { result.V = new(list.List); c.Got(result) })
	})
	c.Op("l.Back", func() {
		l, result := lists.Arg("l"), elements.Result()
		c.Do(func() { result.V = l.V.Back(); c.Got(result) })
	}).When(lists.Any)
	c.Op("l.Front", func() {
		l, result := lists.Arg("l"), elements.Result()
		c.Do(func() { result.V = l.V.Front(); c.Got(result) })
	}).When(lists.Any)
	c.Op("l.Init", func() {
		l, result := lists.Arg("l"), lists.Result()
		c.Do(func() { result.V = l.V.Init(); c.Got(result) })
	}).When(lists.Any)
	c.Op("l.InsertAfter", func() {
		l, v, mark, result := lists.Arg("l"), values.Arg("v"), elements.Arg("mark"), elements.Result()
		c.Do(func() { result.V = l.V.InsertAfter(v.V, mark.V); c.Got(result) })
	}).When(api.Any(lists, elements))
	c.Op("l.InsertBefore", func() {
		l, v, mark, result := lists.Arg("l"), values.Arg("v"), elements.Arg("mark"), elements.Result()
		c.Do(func() { result.V = l.V.InsertBefore(v.V, mark.V); c.Got(result) })
	}).When(api.Any(lists, elements))
	c.Op("l.Len", func() {
		l := lists.Arg("l")
		c.Do(func() { c.Got(l.V.Len()) })
	}).When(lists.Any)
	c.Op("l.MoveAfter", func() {
		l, e, mark := lists.Arg("l"), elements.Arg("e"), elements.Arg("mark")
		c.Do(func() { l.V.MoveAfter(e.V, mark.V) })
	}).When(api.Any(lists, elements))
	c.Op("l.MoveBefore", func() {
		l, e, mark := lists.Arg("l"), elements.Arg("e"), elements.Arg("mark")
		c.Do(func() { l.V.MoveBefore(e.V, mark.V) })
	}).When(api.Any(lists, elements))
	c.Op("l.MoveToBack", func() {
		l, e := lists.Arg("l"), elements.Arg("e")
		c.Do(func() { l.V.MoveToBack(e.V) })
	}).When(api.Any(lists, elements))
	c.Op("l.MoveToFront", func() {
		l, e := lists.Arg("l"), elements.Arg("e")
		c.Do(func() { l.V.MoveToFront(e.V) })
	}).When(api.Any(lists, elements))
	c.Op("l.PushBack", func() {
		l, v, result := lists.Arg("l"), values.Arg("v"), elements.Result()
		c.Do(func() { result.V = l.V.PushBack(v.V); c.Got(result) })
	}).When(lists.Any)
	c.Op("l.PushBackList", func() {
		l, other := lists.Arg("l"), lists.Arg("other")
		c.Do(func() { l.V.PushBackList(other.V) })
	}).When(lists.Any)
	c.Op("l.PushFront", func() {
		l, v, result := lists.Arg("l"), values.Arg("v"), elements.Result()
		c.Do(func() { result.V = l.V.PushFront(v.V); c.Got(result) })
	}).When(lists.Any)
	c.Op("l.PushFrontList", func() {
		l, other := lists.Arg("l"), lists.Arg("other")
		c.Do(func() { l.V.PushFrontList(other.V) })
	}).When(lists.Any)
	c.Op("l.Remove", func() {
		l, e := lists.Arg("l"), elements.Arg("e")
		c.Do(func() { c.Got(l.V.Remove(e.V)) })
	}).When(api.Any(lists, elements))
	c.Op("e.Next", func() {
		e, result := elements.Arg("e"), elements.Result()
		c.Do(func() { result.V = e.V.Next(); c.Got(result) })
	}).When(elements.Any)
	c.Op("e.Prev", func() {
		e, result := elements.Arg("e"), elements.Result()
		c.Do(func() { result.V = e.V.Prev(); c.Got(result) })
	}).When(elements.Any)
	c.Op("ring.New", func() {
		n, result := ints.Arg("n"), rings.Result()
		c.Do(func() { result.V = ring.New(n.V); c.Got(result) })
	})
	c.Op("new(ring.Ring)", func() {
		result := rings.Result()
		c.Do(func() { result.V = new(ring.Ring); c.Got(result) })
	})
	c.Op("r.Do", func() {
		r, f := rings.Arg("r"), visits.Arg("f")
		c.Do(func() { r.V.Do(f.V) })
	}).When(rings.Any)
	c.Op("r.Len", func() {
		r := rings.Arg("r")
		c.Do(func() { c.Got(r.V.Len()) })
	}).When(rings.Any)
	c.Op("r.Link", func() {
		r, s, result := rings.Arg("r"), rings.Arg("s"), rings.Result()
		c.Do(func() { result.V = r.V.Link(s.V); c.Got(result) })
	}).When(rings.Any)
	c.Op("r.Move", func() {
		r, n, result := rings.Arg("r"), ints.Arg("n"), rings.Result()
		c.Do(func() { result.V = r.V.Move(n.V); c.Got(result) })
	}).When(rings.Any)
	c.Op("r.Next", func() {
		r, result := rings.Arg("r"), rings.Result()
		c.Do(func() { result.V = r.V.Next(); c.Got(result) })
	}).When(rings.Any)
	c.Op("r.Prev", func() {
		r, result := rings.Arg("r"), rings.Result()
		c.Do(func() { result.V = r.V.Prev(); c.Got(result) })
	}).When(rings.Any)
	c.Op("r.Unlink", func() {
		r, n, result := rings.Arg("r"), ints.Arg("n"), rings.Result()
		c.Do(func() { result.V = r.V.Unlink(n.V); c.Got(result) })
	}).When(rings.Any)
	c.Op("NewIntHeap", func() {
		a, b, d, result := ints.Arg("a"), ints.Arg("b"), ints.Arg("d"), intHeaps.Result()
		c.Do(func() { result.V = NewIntHeap(a.V, b.V, d.V); c.Got(result) })
	})
	c.Op("heap.Init", func() {
		h := intHeaps.Arg("h")
		c.Do(func() { heap.Init(h.V) })
	}).When(intHeaps.Any)
	c.Op("heap.Push", func() {
		h, x := intHeaps.Arg("h"), ints.Arg("x")
		c.Do(func() { heap.Push(h.V, x.V) })
	}).When(intHeaps.Any)
	c.Op("heap.Pop", func() {
		h := intHeaps.Arg("h")
		c.Do(func() { c.Got(heap.Pop(h.V)) })
	}).When(intHeaps.Any)
	c.Op("heap.Remove", func() {
		h, i := intHeaps.Arg("h"), ints.Arg("i")
		c.Do(func() { c.Got(heap.Remove(h.V, i.V)) })
	}).When(intHeaps.Any)
	c.Op("heap.Fix", func() {
		h, i := intHeaps.Arg("h"), ints.Arg("i")
		c.Do(func() { heap.Fix(h.V, i.V) })
	}).When(intHeaps.Any)
})
