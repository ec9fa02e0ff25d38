package main

import (
	"container/list"
	"fmt"
	"math"
	"time"

	"github.com/Rhymond/go-money"
	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
	"github.com/dolthub/swiss"
	"github.com/emirpasic/gods/v2/queues/circularbuffer"
	"github.com/gorhill/cronexpr"
	"github.com/hashicorp/go-version"
	"github.com/hjson/hjson-go/v4"
	"github.com/jinzhu/inflection"
	"github.com/joho/godotenv"
	"github.com/kr/pretty"
	"github.com/liamg/memoryfs"
	"github.com/mitchellh/hashstructure/v2"
	"github.com/montanaflynn/stats"
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

func hjsonSpace() any {
	text, err := hjson.Marshal("\u2000")
	if err != nil {
		return err
	}
	var v any
	err = hjson.Unmarshal(text, &v)
	return fmt.Sprintf("%q %v", v, err)
}

func hjsonKey() any {
	var v any
	err := hjson.Unmarshal([]byte("a:"), &v)
	return fmt.Sprintf("%q %v", v, err)
}

func memoryfsRoot() any {
	f := memoryfs.New()
	wrote := f.WriteFile(".", []byte("x"), 0o600)
	_, err := f.ReadFile(".")
	return fmt.Sprint(wrote, ", ", err)
}

func godotenvDigits() any { return dotenv("00") }

func godotenvQuote() any { return dotenv(`"`) }

func godotenvBackslash() any { return dotenv(`\`) }

// dotenv returns what a value becomes.
func dotenv(value string) any {
	text, err := godotenv.Marshal(map[string]string{"a": value})
	if err != nil {
		return err
	}
	back, err := godotenv.Unmarshal(text)
	return fmt.Sprintf("%q %v", back["a"], err)
}

func cronSunday() any {
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	return cronexpr.MustParse("0 0 * * 5-7").Next(from)
}

func cronMonth() any {
	from := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	return cronexpr.MustParse("0 0 15 01 *").Next(from)
}

func hashSet() any {
	type set struct {
		S []int `hash:"set"`
	}
	return sameHash(set{[]int{1, 1}}, set{})
}

func hashNil() any {
	type pointer struct{ P *int }
	return sameHash(pointer{new(int)}, pointer{})
}

func sameHash(v, w any) any {
	a, err := hashstructure.Hash(v, hashstructure.FormatV2, nil)
	if err != nil {
		return err
	}
	b, err := hashstructure.Hash(w, hashstructure.FormatV2, nil)
	if err != nil {
		return err
	}
	return a == b
}

func inflectionZombie() any { return inflection.Singular(inflection.Plural("zombie")) }

func statsTTest() any {
	t, p, err := stats.TTest(stats.Float64Data{1, -0.999}, nil, 0)
	if err != nil {
		return err
	}
	return fmt.Sprintf("t = %.4f, p = %.2f", t, p) // p is 0.9997
}

func swissIter() any {
	m := swiss.NewMap[int, int](8)
	for k := 1; k <= 3; k++ {
		m.Put(k, k)
	}
	seen := map[int]bool{}
	m.Iter(func(k, _ int) bool {
		seen[k] = true
		for k := 1; k <= 3; k++ {
			m.Delete(k)
		}
		return false
	})
	return fmt.Sprint("0 is seen: ", seen[0])
}
