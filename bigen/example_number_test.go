package bigen_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// Edges and small numbers are common.
func ExampleInt() {
	r := rand.New(rand.NewPCG(1, 1))
	for range 6 {
		fmt.Print(bigen.Sample(bigen.Int[int16](), r), " ")
	}
	// Output:
	// 1 32766 2 -17459 -32768 32402
}

// Options leave out what a function need not deal with.
func ExampleFloat() {
	finite := bigen.Float[float64](bigen.NoNaN, bigen.NoInf)
	r := rand.New(rand.NewPCG(2, 1))
	for range 4 {
		fmt.Println(bigen.Sample(finite, r))
	}
	fmt.Println(bigen.Check(finite, math.Inf(1)))
	// Output:
	// 1.18811190138715e+15
	// 235.091
	// -1.099511627775e+12
	// -6.155667497e+07
	// not produced by the generator: at /: is +Inf, which the option NoInf leaves out
}

// A failing float comes down to a simple one.
func ExampleFloatRange() {
	percent := bigen.FloatRange(0, 100.)
	found, _ := bigen.Choices(percent, 73.21987654321)
	remake := func(t choices.Tree) (float64, choices.Tree, error) {
		return bigen.Run(percent, choices.Replay(t, nil))
	}
	simplest, _, _ := mutate.Minimize(
		found, remake, func(p float64) bool { return p != math.Floor(p) && p > 70 }, 1000,
	)
	fmt.Println(remake(simplest))
	fmt.Println(bigen.Check(percent, 100.5))
	// Output:
	// 70.1 1, 701 <nil>
	// not produced by the generator: at /: 100.5 not in [0,100]
}

// Times are in UTC, many of them round.
func ExampleTime() {
	gen := bigen.Time(
		time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2029, 12, 31, 0, 0, 0, 0, time.UTC),
	)
	r := rand.New(rand.NewPCG(3, 1))
	for range 4 {
		fmt.Println(bigen.Sample(gen, r).Format(time.RFC3339Nano))
	}
	fmt.Println(bigen.Check(gen, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)))
	fmt.Println(bigen.Check(gen, time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("CET", 3600))))
	// Output:
	// 2025-09-01T00:00:00Z
	// 2023-09-02T00:59:02.020246Z
	// 2022-02-26T00:00:00Z
	// 2020-02-08T04:42:01.000021Z
	// not produced by the generator: at /: 2030-01-01 00:00:00 +0000 UTC not in [2020-01-01 00:00:00 +0000 UTC,2029-12-31 00:00:00 +0000 UTC]
	// not produced by the generator: at /: 2024-01-01 00:00:00 +0100 CET is not in UTC: use its UTC()
}

func ExampleDuration() {
	r := rand.New(rand.NewPCG(4, 1))
	for range 4 {
		fmt.Println(bigen.Sample(bigen.Duration(), r))
	}
	fmt.Println(bigen.Choices(bigen.Duration(), 90*time.Second))
	// Output:
	// -2441727h19m0s
	// 101987h14m0s
	// 3.879501ms
	// -5088h53m0s
	// 0, 90 <nil>
}

// Addresses are plain numbers in the tree.
func ExampleAddr() {
	fmt.Println(bigen.Choices(bigen.Addr(), netip.MustParseAddr("127.0.0.1")))
	fmt.Println(bigen.Choices(bigen.Addr(), netip.MustParseAddr("fe80::1%eth0")))
	fmt.Println(bigen.Choices(bigen.Prefix(), netip.MustParsePrefix("10.0.0.0/8")))
	fmt.Println(bigen.Check(bigen.Addr(), netip.Addr{}))
	// Output:
	// usual(ipv4(2130706433)) <nil>
	// usual(zoned(18338657682652659712, 1, usual("eth0"))) <nil>
	// network(usual(ipv4(167772160)), 8) <nil>
	// not produced by the generator: at /: none of the alternatives ipv4, mapped, ipv6, zoned makes it: invalid IP is not an IPv4 address
}

func ExampleBigInt() {
	r := rand.New(rand.NewPCG(6, 1))
	for range 4 {
		fmt.Println(bigen.Sample(bigen.BigInt(128), r))
	}
	fmt.Println(bigen.Check(bigen.BigInt(128), new(big.Int).Lsh(big.NewInt(1), 128)))
	// Output:
	// 576460752303423488
	// 0
	// 275889792231455328
	// 902285594682709288
	// not produced by the generator: at /: none of the alternatives small, large, power makes it: 129 bits, more than 128
}

// Trees know a value by its text.
func ExampleOneOf() {
	gen := bigen.OneOf("GET", "PUT", "DELETE")
	fmt.Println(bigen.Choices(gen, "PUT"))
	fmt.Println(bigen.Check(gen, "PATCH"))
	// Output:
	// PUT <nil>
	// not produced by the generator: at /: none of the alternatives GET, PUT, DELETE makes it: "PATCH" is not "GET"
}

// Favored values come up although chance would not find them.
func ExampleFavor() {
	gen := bigen.Favor(bigen.Int[uint32](), 0xCAFEBABE)
	r := rand.New(rand.NewPCG(7, 1))
	for n := 1; ; n++ {
		if bigen.Sample(gen, r) == 0xCAFEBABE {
			fmt.Println("found in less than 100 draws:", n < 100)
			break
		}
	}
	fmt.Println(bigen.Choices(gen, 0xCAFEBABE))
	// Output:
	// found in less than 100 draws: true
	// usual(3405691582) <nil>
}
