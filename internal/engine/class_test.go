package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlain(t *testing.T) {
	tests := []struct{ message, want string }{
		{"", ""},
		{"\n  \n lost\nmore", "lost"},
		{"the sum is 104", "the sum is …"},
		{"the sum is -1.5e+07 at 0xc000123abc", "the sum is … at …"},
		{"from 3-5 to +7, well-5", "from … to …, well-…"},
		{"index out of range [5] with length 3", "index out of range … with length …"},
		{`got "a\"b", want 'c'`, "got …, want …"},
		{"it isn't there, nor its int64", "it isn't there, nor its int64"},
		{`node []int{1, 2}, T{X: "}"} differs`, "node …int…, T… differs"},
		{"1, 2, 3 left", "… left"},
		{"matrix [[1 2] [{3}]]: rows differ", "matrix …: rows differ"},
		{"open [[1 2] and {more", "open …"},
		{"session 3f2a9c1e-aaaa-4bbb-8ccc-deadbeef0000 is lost", "session … is lost"},
		{"session aaaabbbb-cccc-dddd-eeee-ffffffffffff is lost", "session … is lost"},
		{"token k3J9_xQ, user1, base64, sha256, x12345 or decade",
			"token …, user1, base64, sha256, … or decade"},
		{"rune U+FFFD, U+00e9", "rune …"},
		{"path %FF0%fe+ is odd", "path …+ is odd"},
		{"message changes:\n;; opcode: QUERY\nbecomes\n;; none", "message changes:"},
		{"mismatch (-want +got):\n  []string{\n- \t\"a\",\n  }", "mismatch (-want +got):"},
		{"  strings.Join({\n- \t\"a\",\n  }, \"\")", ""},
		{"  (\n  \t\"\"\"\n", ""},
		{"got {\n  a\n}", "got"},
		{"open \"x", "open …x"},
		{"got NaN, want -Inf", "got …, want …"},
		{"is true, untrue, want <nil>", "is …, untrue, want …"},
		{"(true) should be true", "(…) should be true"},
		{"after ٣ tries", "after … tries"},
		{"open /tmp/FuzzX561880142/001/a: none", "open /tmp/…/…/a: none"},
		{`open C:\T\Fuzz01234\a: none of x12`, `open C:\T\…\a: none of x12`},
		{"\n\tError Trace:\t/x_test.go:5\n\tError:      \tReceived unexpected error:\n" +
			"\t            \tline 3: bad escape\n\tTest: \tX",
			"Received unexpected error: line …: bad escape"},
		{"\n\tError Trace:\t/x_test.go:5\n\tError:      \tbad key:\n\tTest: \tX", "bad key:"},
		{"\n\tError Trace:\t/x_test.go:5\n\tError:      \tNot equal: \n" +
			"\t            \texpected: \"a\"\n", "Not equal: expected: …"},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Plain(test.message), "%q", test.message)
	}
}

// The words of the input do not count, however the message quotes it.
func TestPlainWithoutInput(t *testing.T) {
	tests := []struct{ message, text, want string }{
		{"unknown name Bob: see help", "Bob", "unknown name see help"},
		{"unknown name BOB, Bobby", "Bob", "unknown name Bobby"},
		{"unknown name b: see help", "b", "unknown name see help"},
		{"unknown name c: see help", "b", "unknown name see help"},
		{"unknown name ,.\t: see help", ",.\t", "unknown name see help"},
		{"bad token }{ here", "}{", "bad token here"},
		{"unknown name BOB: see bob", "BOB", "unknown name see bob"},
		{"unknown name BOB[: see bob", "BOB[", "unknown name see bob"},
		{"bad token x\n    y here", "x\ny", "bad token here"},
		{"bad token x\n    y here", "x\n  y", "bad token here"},
		{"two words, three", "three, two", "words"},
		{"no list is open", "list", "no is open"},
		{"nothing", " ", "nothing"},
		{"unknown name \n: see help", "\n", "unknown name see help"},
		{"unknown name a0A_h: see help", "a0A_h", "unknown name see help"},
		{"unknown name %a0bcd: see help", "%a0bcd", "unknown name see help"},
		{"unknown name %A0bcd: see help", "\xa0bcd", "unknown name see help"},
		{"bad byte in 00ff1e and abcdefff", "\x00\xff\x1e", "bad byte in and"},
		{"bad name DEAD or BEEF or beaf", "\xde\xad", "bad name or BEEF or beaf"},
	}
	for _, test := range tests {
		require.Equal(t, test.want, Plain(test.message, test.text), "%+v", test)
		require.Equal(t, "x.go:1: "+test.want, ClassOf("    x.go:1: "+test.message, test.text), test)
	}
}

// Whatever the input has, the error of an assertion package is found.
func TestPlainOfAssertion(t *testing.T) {
	for _, text := range []string{"a", "[a]", "\n", "{\"a\": 1}"} {
		require.Equal(t, "x_test.go:5: Received unexpected error bad key", ClassOf(
			"    x_test.go:5: \n\t\tError Trace:\t/x/x_test.go:5\n\t\tError:      \tReceived unexpected "+
				"error:\n\t\t            \tbad key\n\t\tTest:       \tFuzzX\n", text), text)
	}
}

func TestPassOver(t *testing.T) {
	known := map[string]*KnownClass{}
	add := func(name string) { known[name] = &KnownClass{Name: name} }
	add("entry")
	for i := range MaxMessages {
		require.False(t, PassOver(known, fmt.Sprintf("x.go:1: word%c", 'a'+i), nil))
		add(fmt.Sprintf("x.go:1: word%c", 'a'+i))
		add(fmt.Sprintf("x.go:10: word%c", 'a'+i/2))
	}
	known["x.go:3: no is open"] = &KnownClass{
		Name: "x.go:3: no is open", Words: "x.go:3: no list is open",
	}
	for _, test := range []struct{ log, input, as string }{
		{"x.go:1: wordc", "", "x.go:1: wordc"},
		{"x.go:1: wordc: found", "found", "x.go:1: wordc"},
		{"x.go:1: another", "", "x.go:1: worda"},
		{"x.go:3: no map is open", "a map", "x.go:3: no is open"},
		{"x.go:3: no list is open", "a map", "x.go:3: no is open"},
		{"x.go:3: no map is open", "a list", ""},
		{"x.go:10: another", "", ""},
		{"x.go:2: another", "", ""},
		{"another", "", ""},
		{"", "", ""},
	} {
		before := times(known)
		require.Equal(t, test.as != "", PassOver(known, test.log, []any{7, []byte(test.input)}), test)
		if test.as != "" {
			before[test.as]++
		}
		require.Equal(t, before, times(known), test)
	}
}

func TestTexts(t *testing.T) {
	require.Equal(t, []string{"a", "\xff"}, Texts([]any{"a", 1, []byte{0xff}, true}))
}

func times(known map[string]*KnownClass) map[string]int64 {
	n := map[string]int64{}
	for name, c := range known {
		n[name] = c.Times
	}
	return n
}

func TestClassOf(t *testing.T) {
	require.Equal(t, "x_test.go:12: lost …",
		ClassOf("--- FAIL: FuzzX (0.00s)\n    x_test.go:12: lost 5\n"))
	require.Equal(t, "", ClassOf("nothing"))
	require.Equal(t, "calc.go:32",
		ClassOf("--- FAIL: FuzzX (0.00s)\n    x_test.go:23: overflow at calc.go:32 in x.add: 1 + 2\n"))
}

// A test that fails and says nothing has a class.
func TestUnsaid(t *testing.T) {
	for log, want := range map[string]string{
		"--- FAIL: FuzzX (0.00s)\n": Unsaid,
		"--- FAIL: FuzzX (0.16s)\n    --- FAIL: FuzzX (0.00s)\n    \nFAIL\n": Unsaid,
		"--- FAIL: FuzzX (0.00s)\nsomething\n":                               "",
		"":                                                                   "",
	} {
		require.Equal(t, want, ClassOf(log), log)
	}
}
