package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"go/token"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/VictoriaMetrics/metricsql"
	"github.com/Workiva/go-datastructures/bitarray"
	"github.com/adamzy/cedar-go"
	"github.com/alecthomas/kingpin/v2"
	"github.com/beevik/etree"
	"github.com/bits-and-blooms/bitset"
	"github.com/bits-and-blooms/bloom/v3"
	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"
	"github.com/charmbracelet/x/vt"
	"github.com/derekparker/trie/v3"
	runetrie "github.com/dghubble/trie"
	exif "github.com/dsoprea/go-exif/v3"
	exifcommon "github.com/dsoprea/go-exif/v3/common"
	"github.com/emirpasic/gods/v2/lists/doublylinkedlist"
	jsonpatch "github.com/evanphx/json-patch"
	"github.com/go-co-op/gocron/v2"
	"github.com/go-sql-driver/mysql"
	"github.com/gorilla/schema"
	"github.com/hbollon/go-edlib"
	"github.com/itchyny/gojq"
	jsoniter "github.com/json-iterator/go"
	"github.com/kevinburke/ssh_config"
	"github.com/klauspost/cpuid/v2"
	"github.com/kr/text"
	"github.com/muktihari/xmltokenizer"
	"github.com/orisano/gosax"
	"github.com/paulmach/orb"
	"github.com/pb33f/libopenapi"
	"github.com/pelletier/go-toml"
	"github.com/philhofer/fwd"
	"github.com/quagmt/udecimal"
	"github.com/quasilyte/gogrep"
	"github.com/russross/blackfriday/v2"
	"github.com/zyedidia/generic/cache"
	"gonum.org/v1/plot"
	"gopkg.in/inf.v0"
	"gopkg.in/yaml.v3"
)

func page() *goquery.Document {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader("<p>"))
	if err != nil {
		panic(err)
	}
	return doc
}

func goquerySiblings() any { return page().Siblings().Length() }

func goqueryAddClass() any { return page().AddClass("a").Length() }

func goqueryAddBack() any { return page().AddBackFiltered("p").Length() }

func metricsqlRune() any {
	e, err := metricsql.Parse(`{__name__="\ue100"}`)
	if err != nil {
		return err
	}
	return metricsql.Clone(e)
}

func metricsqlNaN() any {
	e, err := metricsql.Parse(`{__name__="nan", a="b"}`)
	if err != nil {
		return err
	}
	return metricsql.Clone(e)
}

func bitarrayNand() any {
	return bitarray.NewBitArray(128).Nand(bitarray.NewBitArray(64))
}

func bitarrayEquals() any {
	a, b := bitarray.NewBitArray(64), bitarray.NewBitArray(128)
	a.SetBit(0)
	b.SetBit(0)
	b.SetBit(64)
	return a.Equals(b)
}

func bitarraySetBits() any {
	return bitarray.NewBitArray(64).GetSetBits(128, make([]uint64, 1))
}

func cedarPredict() any { return cedar.New().PrefixPredict(nil, 0) }

func cedarUpdate() any {
	c := cedar.New()
	c.Update([]byte("a"), -1)
	c.Update([]byte("b"), -1)
	c.Update([]byte("a"), -1)
	return c.Delete([]byte("a"))
}

func kingpinContext() any {
	c, err := kingpin.New("a", "").ParseContext(nil)
	if err != nil {
		return err
	}
	return c.String()
}

func kingpinArgs() any {
	return kingpin.New("a", "").Command("c", "").Model().ArgSummary()
}

func etreeRemove() any { return etree.NewElement("a").Remove() }

func etreePath() any {
	doc := etree.NewDocument()
	doc.CreateElement("a")
	return doc.FindElement("a[-9223372036854775808]")
}

func bitsetUnmarshal() any {
	return new(bitset.BitSet).UnmarshalBinary(bytes.Repeat([]byte{0xff}, 8))
}

func bitsetOnes() any { return bitset.New(64).OnesBetween(0, 100) }

func bitsetDelete() any { return bitset.New(1).DeleteAt(200) }

func bloomFrom() any { return bloom.From(nil, 1).Test([]byte("a")) }

func bloomUnmarshal() any {
	return new(bloom.BloomFilter).UnmarshalBinary(bytes.Repeat([]byte{0xff}, 24))
}

func enforcer() *casbin.Enforcer {
	m, err := model.NewModelFromString("[request_definition]\nr = sub\n[policy_definition]\n" +
		"p = sub\n[policy_effect]\ne = some(where (p.eft == allow))\n[matchers]\nm = r.sub == p.sub\n")
	if err != nil {
		panic(err)
	}
	e, err := casbin.NewEnforcer(m)
	if err != nil {
		panic(err)
	}
	return e
}

func casbinType() any {
	_, err := enforcer().RemoveNamedPolicy("p2")
	return err
}

func vtScroll() any {
	vt.NewScreen(8, 8).ScrollUp(1)
	return nil
}

func vtHide() any {
	vt.NewScreen(8, 8).HideCursor()
	return nil
}

func trieFuzzy() any {
	t := trie.New[int]()
	t.Remove("")
	return t.FuzzySearch("a")
}

func exifString() any {
	value := exif.NewIfdBuilderTagValueFromBytes([]byte{1})
	return exif.NewBuilderTag("IFD", 1, exifcommon.TypeLong, value, binary.BigEndian).String()
}

func godsInsert() any {
	doublylinkedlist.New(1).Insert(0)
	return nil
}

func jsonpatchEmpty() any {
	patch, err := jsonpatch.DecodePatch([]byte(`[{"op": "remove", "path": "/a"}]`))
	if err != nil {
		return err
	}
	_, err = patch.Apply(nil)
	return err
}

func jsonpatchEqual() any {
	return jsonpatch.Equal([]byte(`{"a": null}`), []byte(`{"a": {}}`))
}

func gocronZone() any {
	return gocron.NewDefaultCron(false).IsValid("CRON_TZ=", time.UTC, time.Now())
}

func mysqlName() any {
	cfg, err := mysql.ParseDSN("/?strict=")
	if err != nil {
		return err
	}
	return cfg.FormatDSN()
}

func schemaPointer() any {
	var v any = 1
	return schema.NewEncoder().Encode(struct{ F *any }{&v}, map[string][]string{})
}

func edlibQuantity() any {
	_, err := edlib.FuzzySearchSet("a", []string{"b"}, 0, edlib.Levenshtein)
	return err
}

func gojqNext() any {
	query, err := gojq.Parse("range(0)")
	if err != nil {
		return err
	}
	it := query.Run(nil)
	it.Next()
	it.Next()
	return nil
}

func jsoniterNumber() any { return jsoniter.Wrap(json.Number("1")).ToInt() }

func sshconfigInclude() any {
	inc, err := ssh_config.NewInclude([]string{"a"}, false, ssh_config.Position{}, "", false, 1)
	if err != nil {
		return err
	}
	return inc.String()
}

func cpuidUnknown() any { return cpuid.CombineFeatures(cpuid.ParseFeature("none")) }

func textPrefix() any {
	_, err := text.NewIndentWriter(io.Discard).Write([]byte("a"))
	return err
}

func xmlEnd() any {
	_, err := xmltokenizer.New(strings.NewReader("</>")).Token()
	return err
}

func xmlReader() any {
	broken := io.MultiReader(strings.NewReader("<"), failing{})
	_, err := xmltokenizer.New(broken).Token()
	return err
}

// failing fails to read and to write.
type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("broken") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("broken") }

func gosaxQuote() any {
	_, err := gosax.StartElement([]byte(`<a b="`))
	return err
}

func orbOrientation() any { return orb.Ring{}.Orientation() }

func libopenapiReference() any {
	_, err := libopenapi.NewArazzoDocument([]byte("$ref: a"))
	return err
}

func tomlDelete() any {
	tree, err := toml.Load("a = 1")
	if err != nil {
		return err
	}
	return tree.DeletePath(nil)
}

func fwdReadFrom() any {
	_, err := fwd.NewWriter(failing{}).ReadFrom(strings.NewReader("a"))
	return err
}

func udecimalPrecision() any {
	var d udecimal.Decimal
	if err := d.UnmarshalBinary([]byte{0, 200, 11, 0, 0, 0, 0, 0, 0, 0, 1}); err != nil {
		return err
	}
	return d.String()
}

func gogrepArrows() any {
	_, _, err := gogrep.Compile(gogrep.CompileConfig{Fset: token.NewFileSet(), Src: "ᐸᐳ"})
	return err
}

func blackfridayTwice() any {
	m := blackfriday.New()
	m.Parse([]byte("a"))
	return m.Parse([]byte("a"))
}

func blackfridayLess() any {
	blackfriday.NewSmartypantsRenderer(blackfriday.Smartypants).Process(io.Discard, []byte("<"))
	return nil
}

func cacheZero() any {
	cache.New[int, int](0).Put(1, 1)
	return nil
}

func plotNominal() any {
	plot.New().NominalX()
	return nil
}

func infGob() any { return new(inf.Dec).GobDecode([]byte{1}) }

func yamlTime() any {
	return yaml.NewEncoder(io.Discard).Encode([]any{&time.Time{}})
}

func chacha8Unmarshal() any {
	return new(rand.ChaCha8).UnmarshalBinary([]byte("readbuf:\xff"))
}

func runeTrieDelete() any {
	t := runetrie.NewRuneTrie()
	t.Put("é", 1)
	return t.Delete("é")
}
