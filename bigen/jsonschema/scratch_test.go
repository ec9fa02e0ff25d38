package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"sort"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/jsonschema"
	"github.com/espalier-go/espalier/choices"
)

func TestCasesScratch(t *testing.T) {
	var cases map[string]json.RawMessage
	b, _ := os.ReadFile("/tmp/d6.json")
	json.Unmarshal(b, &cases)
	var names []string
	for n := range cases {
		if o := os.Getenv("ONLY"); o == "" || o == n {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	for _, n := range names {
		func() {
			defer func() {
				if e := recover(); e != nil {
					fmt.Println(n, "PANIC", e)
				}
			}()
			start := time.Now()
			g, err := jsonschema.Parse(string(cases[n]))
			parse := time.Since(start)
			if err != nil {
				fmt.Println(n, parse, err)
				return
			}
			r := rand.New(rand.NewPCG(1, 2))
			start = time.Now()
			var first time.Duration
			distinct, rej, size, bad := map[string]bool{}, 0, 0, 0
			runs := 0
			for ; runs < 200 && time.Since(start) < 5*time.Second; runs++ {
				v, _, err := bigen.Run(g, choices.Random(r))
				if runs == 0 {
					first = time.Since(start)
				}
				if err != nil {
					rej++
					continue
				}
				b, _ := json.Marshal(v)
				size += len(b)
				distinct[string(b)] = true
				if bigen.Check(g, v) != nil {
					bad++
				}
			}
			fmt.Println(n, "parse", parse, "first", first, "rest", time.Since(start), "runs", runs, "rejected", rej, "distinct", len(distinct), "mean", size/max(1, runs-rej), "unread", bad)
		}()
	}
}
