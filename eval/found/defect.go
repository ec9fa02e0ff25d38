package main

// A defect is something wrong in a module that others wrote.
type defect struct {
	name string // of the function that shows it
	show func() any
	path string // of the package
	what string // is wrong
	by   string // the property that failed
	got  string // a part of the panic, or what the function returns; none if it never returns
}

// The properties. The first ones are of calls without a model.
const (
	noPanic  = "no call panics"
	ends     = "each call returns"
	size     = "a size is not negative"
	order    = "Compare is an order"
	jsonText = "MarshalJSON writes what was put in"
	mapLaw   = "a trie behaves like a map"
	trip     = "Unmarshal undoes Marshal"
	naive    = "a naive implementation agrees"
	apart    = "other values have other hashes"
	overflow = "no signed operation loses bits"
	target   = "a fuzz target of the module"
)

const (
	isNil    = "nil pointer dereference"
	index    = "index out of range"
	slice    = "slice bounds out of range"
	makes    = "makeslice"
	division = "integer divide by zero"
)

var defects = []defect{
	{"chacha8Unmarshal", chacha8Unmarshal, "math/rand/v2", "ChaCha8.UnmarshalBinary of a buffer whose length is 255 and that has no bytes panics", noPanic, slice},
	{"listLen", listLen, "container/list", "an element removed after Init makes Len negative", size, "-1"},
	{"goquerySiblings", goquerySiblings, "github.com/PuerkitoBio/goquery", "Siblings of a document panics", noPanic, isNil},
	{"goqueryAddClass", goqueryAddClass, "github.com/PuerkitoBio/goquery", "AddClass of a document panics", noPanic, isNil},
	{"goqueryAddBack", goqueryAddBack, "github.com/PuerkitoBio/goquery", "AddBackFiltered of a first selection panics", noPanic, isNil},
	{"moneyMultiply", moneyMultiply, "github.com/Rhymond/go-money", "Multiply returns what does not fit", overflow + ", after 4 executions", "-2"},
	{"moneyAdd", moneyAdd, "github.com/Rhymond/go-money", "Add returns what does not fit, and no error", overflow + ", after 996 executions", "-9223372036854775808"},
	{"metricsqlRune", metricsqlRune, "github.com/VictoriaMetrics/metricsql", "Clone panics: U+E100 is written as an escape that is not parsed", noPanic, "cannot parse"},
	{"metricsqlNaN", metricsqlNaN, "github.com/VictoriaMetrics/metricsql", "Clone panics: a metric named nan is written without quotes", noPanic, "cannot parse"},
	{"bitarrayNand", bitarrayNand, "github.com/Workiva/go-datastructures/bitarray", "Nand with a shorter array panics", noPanic, index},
	{"bitarrayEquals", bitarrayEquals, "github.com/Workiva/go-datastructures/bitarray", "Equals with a longer array panics", noPanic, index},
	{"bitarraySetBits", bitarraySetBits, "github.com/Workiva/go-datastructures/bitarray", "GetSetBits from beyond the bits panics", noPanic, slice},
	{"cedarPredict", cedarPredict, "github.com/adamzy/cedar-go", "PrefixPredict of no bytes in an empty trie panics", noPanic, index},
	{"cedarUpdate", cedarUpdate, "github.com/adamzy/cedar-go", "Update takes a negative value, which by its comment is an error, and the trie breaks", noPanic, index},
	{"kingpinContext", kingpinContext, "github.com/alecthomas/kingpin/v2", "String of the context of an application without commands panics", noPanic, isNil},
	{"kingpinArgs", kingpinArgs, "github.com/alecthomas/kingpin/v2", "ArgSummary of a command without arguments panics", noPanic, index},
	{"etreeRemove", etreeRemove, "github.com/beevik/etree", "Remove of what has no parent panics", noPanic, isNil},
	{"etreePath", etreePath, "github.com/beevik/etree", "a path with the least index panics", noPanic, index},
	{"bitsetUnmarshal", bitsetUnmarshal, "github.com/bits-and-blooms/bitset", "UnmarshalBinary of malformed data panics", noPanic, makes},
	{"bitsetOnes", bitsetOnes, "github.com/bits-and-blooms/bitset", "OnesBetween panics beyond the length, Test and Count do not", noPanic, index},
	{"bitsetDelete", bitsetDelete, "github.com/bits-and-blooms/bitset", "DeleteAt panics beyond the length, Clear does not", noPanic, index},
	{"bitsetLength", bitsetLength, "github.com/bits-and-blooms/bitset", "Union panics after FromWithLength of more words than the length needs", noPanic, index},
	{"bloomFrom", bloomFrom, "github.com/bits-and-blooms/bloom/v3", "From takes no bits, and Test divides by their number", noPanic, division},
	{"bloomUnmarshal", bloomUnmarshal, "github.com/bits-and-blooms/bloom/v3", "UnmarshalBinary of malformed data panics", noPanic, makes},
	{"bloomEstimate", bloomEstimate, "github.com/bits-and-blooms/bloom/v3", "EstimateParameters for no elements asks for 1<<63 hash functions", ends, "9223372036854775808"},
	{"casbinType", casbinType, "github.com/casbin/casbin/v2", "RemoveNamedPolicy of a type that the model does not have panics, though it returns errors", noPanic, index},
	{"vtScroll", vtScroll, "github.com/charmbracelet/x/vt", "ScrollUp of a new screen panics", noPanic, isNil},
	{"vtHide", vtHide, "github.com/charmbracelet/x/vt", "HideCursor of a new screen panics", noPanic, isNil},
	{"runeTrieDelete", runeTrieDelete, "github.com/dghubble/trie", "RuneTrie.Delete of a key with a letter of two bytes panics", mapLaw, isNil},
	{"trieFuzzy", trieFuzzy, "github.com/derekparker/trie/v3", "FuzzySearch panics after Remove of a key that is not there", noPanic, makes},
	{"swissIter", swissIter, "github.com/dolthub/swiss", "Iter visits a key that was never there if its function deletes others", "a map behaves like Go's", "true"},
	{"exifString", exifString, "github.com/dsoprea/go-exif/v3", "String of a BuilderTag panics for a value that its constructor takes", noPanic, "does not align"},
	{"godsInsert", godsInsert, "github.com/emirpasic/gods/v2/lists/doublylinkedlist", "Insert of no values panics", noPanic, isNil},
	{"bufferJSON", bufferJSON, "github.com/emirpasic/gods/v2/queues/circularbuffer", "ToJSON writes slots that are empty", jsonText, "[1,0,0]"},
	{"jsonpatchEmpty", jsonpatchEmpty, "github.com/evanphx/json-patch", "Apply to an empty document panics", noPanic, index},
	{"jsonpatchEqual", jsonpatchEqual, "github.com/evanphx/json-patch", "Equal of documents of which one has a null panics", noPanic, isNil},
	{"gocronZone", gocronZone, "github.com/go-co-op/gocron/v2", "IsValid of CRON_TZ= without a space panics", noPanic, slice},
	{"mysqlName", mysqlName, "github.com/go-sql-driver/mysql", "ParseDSN panics for strict=, though it returns errors", target, "strict mode has been removed"},
	{"cronSunday", cronSunday, "github.com/gorhill/cronexpr", "a range of days to 7, which by the README is Sunday, has no day", naive, "0001-01-01"},
	{"cronMonth", cronMonth, "github.com/gorhill/cronexpr", "the month 01 is read as month 0", naive, "2024-12-15"},
	{"schemaPointer", schemaPointer, "github.com/gorilla/schema", "Encode of a pointer to an interface panics", noPanic, isNil},
	{"versionCompare", versionCompare, "github.com/hashicorp/go-version", "each of 1-1 and 1-01 is less than the other", order, "[-1 -1]"},
	{"hjsonSpace", hjsonSpace, "github.com/hjson/hjson-go/v4", "a text of a Unicode space is written without quotes, and is read as no text", trip, `"" <nil>`},
	{"hjsonKey", hjsonKey, "github.com/hjson/hjson-go/v4", "a key without a value is read as the text of a zero byte", trip, `map["a":"\x00"] <nil>`},
	{"edlibQuantity", edlibQuantity, "github.com/hbollon/go-edlib", "FuzzySearchSet of 0 results panics", noPanic, index},
	{"gojqNext", gojqNext, "github.com/itchyny/gojq", "Next after the end of range(0) panics", noPanic, index},
	{"inflectionZombie", inflectionZombie, "github.com/jinzhu/inflection", "the singular of zombies is zomby", "Singular undoes Plural", "zomby"},
	{"godotenvDigits", godotenvDigits, "github.com/joho/godotenv", "Marshal writes the text 00 as a number, and loses a digit", trip, `"0" <nil>`},
	{"godotenvQuote", godotenvQuote, "github.com/joho/godotenv", "Marshal of a quotation mark is read as a backslash", trip, `"\\" <nil>`},
	{"godotenvBackslash", godotenvBackslash, "github.com/joho/godotenv", "Marshal of a backslash cannot be read", trip, "unterminated quoted value"},
	{"jsoniterNumber", jsoniterNumber, "github.com/json-iterator/go", "Wrap panics for a json.Number", noPanic, "interface conversion"},
	{"sshconfigInclude", sshconfigInclude, "github.com/kevinburke/ssh_config", "String of an Include at a zero position panics", noPanic, "negative Repeat count"},
	{"cpuidUnknown", cpuidUnknown, "github.com/klauspost/cpuid/v2", "CombineFeatures panics for what ParseFeature returns of an unknown name", noPanic, index},
	{"prettyNil", prettyNil, "github.com/kr/pretty", "printing Formatter(nil) panics in fmt", noPanic, "%!v(PANIC=Format method: reflect: call of reflect.Value.Interface on zero Value)"},
	{"textPrefix", textPrefix, "github.com/kr/text", "a writer without a prefix panics", noPanic, index},
	{"memoryfsRoot", memoryfsRoot, "github.com/liamg/memoryfs", "a write to the root succeeds, and leaves nothing", "a file that is written can be read", "<nil>, invalid argument"},
	{"hashSet", hashSet, "github.com/mitchellh/hashstructure/v2", "the set of 1 and 1 has the hash of no elements", apart, "true"},
	{"hashNil", hashNil, "github.com/mitchellh/hashstructure/v2", "a nil pointer has the hash of one to 0; by the comment of ZeroNil it has not", apart, "true"},
	{"statsTTest", statsTTest, "github.com/montanaflynn/stats", "TTest returns a wrong p for a small t", "p of one degree of freedom is Cauchy's", "p = 0.20"},
	{"xmlEnd", xmlEnd, "github.com/muktihari/xmltokenizer", "Token of </> panics", noPanic, slice},
	{"xmlReader", xmlReader, "github.com/muktihari/xmltokenizer", "Token panics if the reader fails after <", noPanic, index},
	{"gosaxQuote", gosaxQuote, "github.com/orisano/gosax", "StartElement panics for a lone quote, though it returns errors", noPanic, slice},
	{"gosaxSkip", gosaxSkip, "github.com/orisano/gosax", "Skip does not return at the end of the input", ends, ""},
	{"orbOrientation", orbOrientation, "github.com/paulmach/orb", "Orientation of an empty ring panics; by the comment it is 0", noPanic, index},
	{"libopenapiReference", libopenapiReference, "github.com/pb33f/libopenapi", "NewArazzoDocument of a reference panics, though it returns errors", noPanic, isNil},
	{"tomlDelete", tomlDelete, "github.com/pelletier/go-toml", "DeletePath of an empty path panics, though it returns errors", noPanic, slice},
	{"fwdReadFrom", fwdReadFrom, "github.com/philhofer/fwd", "ReadFrom panics if the writer fails", noPanic, slice},
	{"udecimalPrecision", udecimalPrecision, "github.com/quagmt/udecimal", "UnmarshalBinary takes a precision that String uses as an index", noPanic, index},
	{"gogrepArrows", gogrepArrows, "github.com/quasilyte/gogrep", "Compile of ᐸᐳ panics", target, slice},
	{"blackfridayTwice", blackfridayTwice, "github.com/russross/blackfriday/v2", "Parse panics when it is called again", noPanic, isNil},
	{"blackfridayLess", blackfridayLess, "github.com/russross/blackfriday/v2", "Process of a lone < panics", noPanic, slice},
	{"cacheZero", cacheZero, "github.com/zyedidia/generic/cache", "Put into a cache of capacity 0 panics", noPanic, isNil},
	{"trieSize", trieSize, "github.com/zyedidia/generic/trie", "Remove of a key that is not there makes Size negative", size, "-1"},
	{"plotNominal", plotNominal, "gonum.org/v1/plot", "NominalX without names panics", noPanic, index},
	{"infGob", infGob, "gopkg.in/inf.v0", "GobDecode of one byte panics, though it returns errors", noPanic, slice},
	{"yamlTime", yamlTime, "gopkg.in/yaml.v3", "Encode of a slice with a *time.Time panics", noPanic, "interface conversion"},
}
