// Package bigentest tests generators.
//
// A test is as good as its generator. A generator whose two directions disagree loses seeds
// and cannot minimize. One that makes invalid values raises false alarms. One that cannot make
// some valid values hides the bugs that these would reveal. A few lines test a generator for
// all of that:
//
//	func TestGenBST(t *testing.T) {
//		bigentest.Laws(t, genBST(0, 99))                          // it runs both ways
//		bigentest.Sound(t, genBST(0, 99), isBST)                  // it makes search trees only,
//		bigentest.Complete(t, genTree(0, 5), isBST, genBST(0, 5)) // and all of them
//	}
//
// [Laws] finds mistakes in the functions given to bigen.New, bigen.Struct, bigen.Let,
// bigen.Iso and bigen.SuchThat. [Sound] and [Complete] come from Frohlich, Goldstein,
// Pierce and Wang, "Bigenerators, Exposed!", section 4.1. [Value] and [Bytes] check the laws
// for one value. Call Bytes in a fuzz target:
//
//	func FuzzGenBST(f *testing.F) {
//		f.Fuzz(func(t *testing.T, b []byte) { bigentest.Bytes(t, genBST(0, 99), b) })
//	}
//
// A failure shows the smallest value found that breaks a law. A test makes the same values in
// each run. [Seed] selects different values.
package bigentest
