package api

import (
	"cmp"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// titles returns what a test may be called that compares a result of its last call: by this call, which may refuse its
// arguments, and the last one of another operation before. If another test is called so, what differs comes in, too:
// the result, an operation before, an argument, or several of these. What makes a value says least.
func titles(calls callseq.Calls, result any) (all []string) {
	call := calls[len(calls)-1]
	op, variant, _ := strings.Cut(nameOf(call), " with ")
	last, of, outcome := op, " of ", wordOf(result)
	lead := []string{""} // other operations before it
	var makers []string
	rejects := is[errorText](result)
	if rejects {
		last, of = op+" rejects", " "
	}
	for i := len(calls) - 2; i >= 0; i-- {
		name, _, _ := strings.Cut(nameOf(calls[i]), " with ")
		switch then := name + " then "; {
		case maker.MatchString(name):
			makers = append(makers, then)
		case name == op || slices.Contains(lead, then) || slices.Contains(lead, then+lead[0]):
		case i > 0 && lead[0] == "" && !rejects:
			lead[0] = then
		default:
			lead = append(lead, then+lead[0])
		}
	}
	details := []string{""} // what is said of the last call
	if outcome != "" && slices.Index(counts, outcome) <= 0 {
		details = append(details, " returns "+outcome)
	}
	if variant != "" {
		details = append(details, " with "+variant)
	}
	var words, elements []string
	for _, arg := range call[1:] {
		word := wordOfArg(arg)
		if word == "" {
			continue
		}
		words, details = append(words, word), append(details, of+word)
		if rejects && (word == "empty" || word == "negative") {
			all = append(all, last+of+word)
		}
		if v := reflect.ValueOf(arg); v.Kind() == reflect.Slice && v.Len() <= mostNamed {
			for i := range v.Len() {
				elements = append(elements, wordOfArg(v.Index(i).Interface()))
			}
		}
	}
	details = append(details, of+strings.Join(words, " and "), of+strings.Join(elements, " and "), " returns "+outcome)
	for _, then := range append(lead, makers...) {
		for _, detail := range details {
			if title := then + last + detail; !strings.HasSuffix(title, " ") && !slices.Contains(all, title) {
				all = append(all, title)
			}
		}
	}
	return all
}

const mostNamed = 3 // elements of a slice

var (
	counts    = []string{"empty", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	plainCode = regexp.MustCompile(`^[A-Za-z0-9.]{1,24}$`)
	plainWord = regexp.MustCompile(`^[A-Za-z0-9]{1,12}$`)
	someWords = regexp.MustCompile(`[A-Za-z0-9]{1,12}`)
	maker     = regexp.MustCompile(`^(.*\.)?New([A-Z]|$)|\{`)
)

// wordOfArg is wordOf for an argument, with more words: some of a text, and types.
func wordOfArg(x any) string {
	switch word := wordOf(x); {
	case x == nil:
		return "nil"
	case word != "" || is[Code](x) || is[callseq.Name](x):
		return word
	}
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.String {
		return strings.Join(someWords.FindAllString(v.String(), mostNamed), " ")
	}
	switch number := v.CanInt() || v.CanUint() || v.CanFloat(); {
	case !number || v.Type().PkgPath() != "":
		return cmp.Or(v.Type().Name(), strings.ReplaceAll(v.Kind().String(), "ptr", "pointer"))
	case v.CanFloat() && v.Float() < 100:
		return "fraction"
	}
	return "large"
}

// wordOf returns a word for an argument or a result in the name of a test, or "".
func wordOf(x any) string {
	v := reflect.ValueOf(x)
	switch n, _ := x.(length); {
	case !v.IsValid():
		return ""
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		return countOf(v.Len())
	case is[length](x):
		return countOf(int(n))
	case is[Code](x) && plainCode.MatchString(v.String()):
		return strings.ReplaceAll(v.String(), ".", " ")
	case v.Type().PkgPath() != "":
		return ""
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.Kind() == reflect.String && (v.Len() == 0 || plainWord.MatchString(v.String())):
		return cmp.Or(v.String(), counts[0])
	case !v.CanInt() && !v.CanUint() && !v.CanFloat():
		return ""
	}
	switch f := v.Convert(reflect.TypeFor[float64]()).Float(); {
	case f == 0:
		return "zero"
	case f < 0:
		return "negative"
	case f == math.Trunc(f) && f < 100:
		return strconv.Itoa(int(f))
	case math.IsInf(f, 1):
		return "infinity"
	}
	return ""
}

// countOf returns a word for so many elements.
func countOf(n int) string {
	if n < len(counts) {
		return counts[n]
	}
	return "many"
}
