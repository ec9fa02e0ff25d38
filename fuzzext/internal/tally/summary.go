package tally

import (
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/fuzzext/internal/text"
)

// Summary says what a Check has done, in one line.
func (n *Tally) Summary() string {
	var b strings.Builder
	switch {
	case n.FewSchedules():
		fmt.Fprintf(&b, "%d of %d random schedules, for lack of time", n.Valid, n.Most)
	case n.schedules:
		b.WriteString(text.Count(n.Valid, "random schedule"))
	default:
		b.WriteString(text.Count(n.Valid, "valid random value"))
	}
	if k := n.Invalid + n.Rejected; k > 0 {
		fmt.Fprintf(&b, ", %d invalid", k)
	}
	if n.Learned {
		b.WriteString(", guided")
	}
	if k := n.Saved; k > 0 {
		fmt.Fprintf(&b, ", %d saved", k)
	}
	if k := n.Examples; k > 0 {
		fmt.Fprintf(&b, ", %s", text.Count(k, "example"))
		if bad := k - n.ValidExamples; bad > 0 && n.Failed == 0 { // else not all have run
			fmt.Fprintf(&b, ", %d of them invalid", bad)
		}
	}
	b.WriteString(n.distinctText())
	b.WriteString(n.labelsText())
	if names := n.validity.never(1); len(names) > 0 && n.Valid > 0 {
		fmt.Fprintf(&b, "; no valid value has %s", strings.Join(names, ", "))
	}
	fmt.Fprintf(&b, "; -fuzzext.seed=%d", n.Seed)
	return b.String()
}

// FewSchedules reports whether the time was over before all schedules had been followed.
func (n *Tally) FewSchedules() bool {
	return n.schedules && n.Failed == 0 && !n.Spent && !n.rare() && n.Valid < n.Most
}

// distinctText says how many distinct values there were, and of how many shapes if that was
// learned.
func (n *Tally) distinctText() string {
	least := ""
	if len(n.Distinct) == maxDistinct {
		least = "at least "
	}
	s := fmt.Sprintf("; %s%d distinct", least, len(n.Distinct))
	if n.Learned {
		s += fmt.Sprintf(", of %s", text.Count(len(n.shapes), "shape"))
	}
	if n.Spent {
		s += "; there seem to be no others"
	}
	return s
}

// labelsText says which shares of the valid values have labels.
func (n *Tally) labelsText() (s string) {
	names := n.labels.byCount()
	for i, l := range names {
		if i == maxShown {
			return s + fmt.Sprintf(", %d more labels", len(names)-i)
		}
		separator := ","
		if i == 0 {
			separator = ";"
		}
		share := 100 * float64(n.labels[l]) / float64(max(1, n.Valid))
		s += fmt.Sprintf("%s %.1f%% %s", separator, share, l)
	}
	return s
}

// Advice says that hardly any of the random values was valid, and what to do.
func (n *Tally) Advice() string {
	which := fmt.Sprintf("T.Assume has rejected %d of them", n.Invalid)
	advice := "make the generator produce what the property assumes"
	if n.Rejected > 0 {
		which = fmt.Sprintf("the generator rejects %d of them, "+which, n.Rejected)
		advice = "make the generator produce valid values by construction, as by ranges that " +
			"depend on earlier fields, or give SuchThat a fallback"
	}
	if n.Examples == 0 {
		advice += "; or give Examples, from which Check learns what is valid"
	} else if n.ValidExamples == 0 {
		advice += "; or give valid Examples: none of these is"
	}
	return fmt.Sprintf("only %d of %d random values are valid, fewer than 1 in %d: %s: %s", n.Valid,
		n.random(), attempts, which, advice)
}

const (
	someRandom = 1000 // values
	fewValid   = 30   // of 1000

	enoughSequences = 10 // for each operation to be called
)

// Weak says what makes the success of the Check weak, and what to do about it, or "".
func (n *Tally) Weak() string {
	if n.Failed > 0 || n.TooFew() {
		return ""
	}
	found := n.uncalled()
	if !n.Spent {
		found = append(found, n.tooFewTried()...)
		found = append(found, n.validity.gaps()...)
	}
	return strings.Join(found, "; ")
}

// uncalled says which operations of a model no sequence has called.
func (n *Tally) uncalled() (found []string) {
	if n.NeverCalled == nil || n.Valid < enoughSequences {
		return nil
	}
	if names := n.NeverCalled(); len(names) > 0 {
		found = append(found,
			fmt.Sprintf("never called: %s: make the preconditions hold more often, or the "+
				"sequences longer", strings.Join(names, ", ")))
	}
	return found
}

// tooFewTried says that there was no time for as many valid values as wanted, or that few are
// valid.
func (n *Tally) tooFewTried() (found []string) {
	most := n.Most
	if n.schedules && n.Least < most {
		most /= bonus
	}
	if most > n.Valid && !n.rare() {
		advice := fmt.Sprintf("set -fuzzext.checks=%d", most)
		if n.Most == n.Least {
			advice = "raise -timeout"
		}
		found = append(found,
			fmt.Sprintf("%d valid values instead of %d, for lack of time: make the property or "+
				"the generator faster, or %s", n.Valid, most, advice))
	}
	if random := n.random(); random >= someRandom && n.Valid*1000 < fewValid*random {
		found = append(found, n.Advice())
	}
	return found
}

// gaps says which values are missing among the valid ones.
func (v *validity) gaps() (found []string) {
	if v.valid < enoughValid {
		return nil
	}
	if float64(v.small) >= mostlySmall*float64(v.valid) &&
		float64(v.large) >= manyLarge*float64(v.made) {
		found = append(found,
			fmt.Sprintf("of the valid values, %s have at most %d parts of a kind, but %s of all "+
				"values have more: give larger valid Examples, or make the generator produce "+
				"larger valid values by construction",
				percent(float64(v.small)/float64(v.valid)), smallSize,
				percent(float64(v.large)/float64(v.made))))
	}
	if names := v.never(manyTagged); len(names) > 0 {
		found = append(found,
			fmt.Sprintf("no valid value has %s, but many that are invalid do: give valid "+
				"Examples with it, or leave it out of the generator", strings.Join(names, ", ")))
	}
	if names := v.avoided(); len(names) > 0 {
		found = append(found,
			fmt.Sprintf("guided valid values rarely have %s: give valid Examples with it",
				strings.Join(names, ", ")))
	}
	return found
}
