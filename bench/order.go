package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// An order is what a test of this package does, in a process of its own: rapid.Check and
// fuzzext.Check run only in tests, and their failures end the process.
type order struct {
	Do     string // a key of orders
	On     string // the subject
	How    string
	By     string
	Seed   uint64
	N      int
	Quick  bool
	Limit  time.Duration
	Result string // the file for what the order answers
}

// orders has what TestMain can do.
var orders = map[string]func(o order, t *testing.T){
	"codec": codecOrder, "entries": entriesOrder, "failing": spanOrder, "guide": guideOrder,
	"linear": linearOrder, "mutants": mutantOrder,
	"price": priceOrder, "sequences": seqOrder, "shrink": shrinkOrder, "start": spanOrder,
	"values": valuesOrder, "when": whenOrder,
}

const endless = "1000000000" // checks

// send carries out an order by a test binary, with further flags, and stores what it answers.
func (o order) send(binary, dir string, answer any, flags ...string) error {
	o.Result = dir + "/answer.json"
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	cmd := exec.Command(binary,
		append([]string{"-order=" + string(text), "-test.timeout=0", "-rapid.nofailfile"}, flags...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GORACE=exitcode=0 log_path="+dir+"/race")
	return answered(cmd, o.Result, answer)
}

// answered runs a command that carries out an order, and stores what it has written to a file. Some
// orders end with a failure.
func answered(cmd *exec.Cmd, file string, answer any) error {
	out, ran := cmd.CombinedOutput()
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, answer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%v\n%s", cmd, err, ran, out)
	}
	return nil
}

// elsewhere has a test of another package carry out an order, which depends on the file for what it
// answers.
func elsewhere[V any](binary, test string, order func(file string) any) (answer V, err error) {
	err = inScratch(func(dir string) error {
		file := filepath.Join(dir, "answer.json")
		text, err := json.Marshal(order(file))
		if err != nil {
			return err
		}
		cmd := exec.Command(binary, "-test.run=^"+test+"$", "-test.timeout=0", "-order="+string(text))
		cmd.Dir = dir
		return answered(cmd, file, &answer)
	})
	return answer, err
}

// asked has a test carry out an order, and returns its answer.
func asked[V any](o order, flags ...string) (answer V, err error) {
	binary, err := buildTests(".", "bench.test", nil)
	if err != nil {
		return answer, err
	}
	err = inScratch(func(dir string) error { return o.send(binary, dir, &answer, flags...) })
	return answer, err
}

// answer ends the process that carries out an order, before package testing reports anything.
func (o order) answer(v any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = os.WriteFile(o.Result, b, 0o666)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(0)
}

func setFlag(name string, value any) {
	if err := flag.Set(name, fmt.Sprint(value)); err != nil {
		panic(err)
	}
}

// seedRapid sets the seed of the next Check. rapid increments it for each value, so random ones
// keep runs apart.
func seedRapid(seed int) {
	setFlag("rapid.seed", rand.New(rand.NewPCG(uint64(seed), sampleStream)).Uint64())
}
