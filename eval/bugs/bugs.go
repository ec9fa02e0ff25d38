// Package bugs lists the bugs.
package bugs

import (
	"slices"

	"github.com/espalier-go/espalier/eval/bug"
	"github.com/espalier-go/espalier/eval/bugs/apd"
	"github.com/espalier-go/espalier/eval/bugs/bitset"
	"github.com/espalier-go/espalier/eval/bugs/btree"
	"github.com/espalier-go/espalier/eval/bugs/cascadia"
	"github.com/espalier-go/espalier/eval/bugs/cron"
	"github.com/espalier-go/espalier/eval/bugs/doublestar"
	"github.com/espalier-go/espalier/eval/bugs/etree"
	"github.com/espalier-go/espalier/eval/bugs/form"
	"github.com/espalier-go/espalier/eval/bugs/gjson"
	"github.com/espalier-go/espalier/eval/bugs/gocmp"
	"github.com/espalier-go/espalier/eval/bugs/godiff"
	"github.com/espalier-go/espalier/eval/bugs/humanize"
	"github.com/espalier-go/espalier/eval/bugs/ini"
	"github.com/espalier-go/espalier/eval/bugs/iradix"
	"github.com/espalier-go/espalier/eval/bugs/jsondiff"
	"github.com/espalier-go/espalier/eval/bugs/jsonparser"
	"github.com/espalier-go/espalier/eval/bugs/lo"
	"github.com/espalier-go/espalier/eval/bugs/lz4"
	"github.com/espalier-go/espalier/eval/bugs/mod"
	"github.com/espalier-go/espalier/eval/bugs/ojg"
	"github.com/espalier-go/espalier/eval/bugs/properties"
	"github.com/espalier-go/espalier/eval/bugs/publicsuffix"
	"github.com/espalier-go/espalier/eval/bugs/reflow"
	"github.com/espalier-go/espalier/eval/bugs/regexp2"
	"github.com/espalier-go/espalier/eval/bugs/roaring"
	"github.com/espalier-go/espalier/eval/bugs/semver"
	"github.com/espalier-go/espalier/eval/bugs/sh"
	"github.com/espalier-go/espalier/eval/bugs/sjson"
	"github.com/espalier-go/espalier/eval/bugs/sketches"
	"github.com/espalier-go/espalier/eval/bugs/sshconfig"
	"github.com/espalier-go/espalier/eval/etna/bst"
	"github.com/espalier-go/espalier/eval/etna/rbt"
	"github.com/espalier-go/espalier/eval/etna/stlc"
)

// All returns the bugs: the documented ones, by module, and ETNA's mutants.
func All() []bug.Bug {
	return slices.Concat(
		apd.Bugs,
		bitset.Bugs,
		btree.Bugs,
		cascadia.Bugs,
		cron.Bugs,
		doublestar.Bugs,
		etree.Bugs,
		form.Bugs,
		gjson.Bugs,
		gocmp.Bugs,
		godiff.Bugs,
		humanize.Bugs,
		ini.Bugs,
		iradix.Bugs,
		jsondiff.Bugs,
		jsonparser.Bugs,
		lo.Bugs,
		lz4.Bugs,
		mod.Bugs,
		ojg.Bugs,
		properties.Bugs,
		publicsuffix.Bugs,
		reflow.Bugs,
		regexp2.Bugs,
		roaring.Bugs,
		semver.Bugs,
		sh.Bugs,
		sjson.Bugs,
		sketches.Bugs,
		sshconfig.Bugs,

		bst.Bugs,
		rbt.Bugs,
		stlc.Bugs,
	)
}

// Named returns the bug of a name.
func Named(name string) (b bug.Bug, ok bool) {
	all := All()
	i := slices.IndexFunc(all, func(b bug.Bug) bool { return b.Name == name })
	if i < 0 {
		return b, false
	}
	return all[i], true
}
