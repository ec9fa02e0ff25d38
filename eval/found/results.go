package main

import (
	"container/list"
	"fmt"
	"math"

	"github.com/Rhymond/go-money"
	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
	"github.com/emirpasic/gods/v2/queues/circularbuffer"
	"github.com/hashicorp/go-version"
	"github.com/kr/pretty"
	"github.com/zyedidia/generic/trie"
)

func listLen() any {
	l := list.New()
	e := l.PushBack(1)
	l.Init()
	l.Remove(e)
	return l.Len()
}

func prettyNil() any { return fmt.Sprint(pretty.Formatter(nil)) }

func versionCompare() any {
	a, b := version.Must(version.NewVersion("1-1")), version.Must(version.NewVersion("1-01"))
	return []int{a.Compare(b), b.Compare(a)}
}

func trieSize() any {
	t := trie.New[int]()
	t.Remove("a")
	return t.Size()
}

func bloomEstimate() any {
	_, k := bloom.EstimateParameters(0, 0.1)
	return k
}

func bitsetLength() any {
	a := bitset.FromWithLength(1, []uint64{1, 1})
	return a.Union(bitset.New(1)).Count()
}

func bufferJSON() any {
	q := circularbuffer.New[int](3)
	q.Enqueue(1)
	text, err := q.ToJSON()
	if err != nil {
		return err
	}
	return string(text)
}

func moneyMultiply() any {
	return money.New(math.MaxInt64, "EUR").Multiply(2).Amount()
}

func moneyAdd() any {
	sum, err := money.New(math.MaxInt64, "EUR").Add(money.New(1, "EUR"))
	if err != nil {
		return err
	}
	return sum.Amount()
}
