package fuzzext

// coverAltitude makes a run cover code that no run with lower scores has covered. So Go's
// fuzzer, which knows coverage only, keeps its input, as in "IJON: Exploring Deep State Spaces
// via Fuzzing" (Aschermann et al., S&P 2020). The fuzzer distinguishes how often code runs by
// powers of two: so each loop stands for eight altitudes.
func coverAltitude(altitude int) { loops[altitude/8](1 << (altitude % 8)) }

// loops are the same loop, compiled once for each type, with a counter of its own.
var loops = [altitudes / 8]func(n int){
	spin[[0]byte], spin[[1]byte], spin[[2]byte], spin[[3]byte], spin[[4]byte], spin[[5]byte], spin[[6]byte], spin[[7]byte],
	spin[[8]byte], spin[[9]byte], spin[[10]byte], spin[[11]byte], spin[[12]byte], spin[[13]byte], spin[[14]byte], spin[[15]byte],
	spin[[16]byte], spin[[17]byte], spin[[18]byte], spin[[19]byte], spin[[20]byte], spin[[21]byte], spin[[22]byte], spin[[23]byte],
	spin[[24]byte], spin[[25]byte], spin[[26]byte], spin[[27]byte], spin[[28]byte], spin[[29]byte], spin[[30]byte], spin[[31]byte],
}

func spin[T any](n int) {
	for range n {
	}
}
