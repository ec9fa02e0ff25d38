package jsonschema

// formats has expressions for strings of formats: for typical ones, not for all.
var formats = map[string]string{
	"date":      dates,
	"time":      times24,
	"date-time": "(" + dates + ")T(" + times24 + ")",
	"duration": `P([0-9]{1,2}W|[0-9]{1,2}D(T[0-9]{1,2}H)?|[0-9]{1,2}Y([0-9]{1,2}M([0-9]{1,2}D)?)?` +
		`|T[0-9]{1,2}(H([0-9]{1,2}M([0-9]{1,2}S)?)?|M([0-9]{1,2}S)?|S))`,
	"email":                 mailbox + "@" + host,
	"idn-email":             "(" + mailbox + "|ñandú|用户)@(" + host + "|exämple\\.com)",
	"hostname":              host,
	"idn-hostname":          host + `|exämple\.com|例子\.测试`,
	"ipv4":                  octet + `(\.` + octet + `){3}`,
	"ipv6":                  `::(1|` + hextet + `)?|` + hextet + `(:` + hextet + `){7}|` + hextet + `::` + hextet,
	"uri":                   uri,
	"uri-reference":         uri + `|(\.\.?/|/)?[a-z0-9]{1,8}(/[a-z0-9]{1,8}){0,3}(#[a-z]{1,8})?`,
	"iri":                   uri + `|https://exämple\.com/[a-zäöü]{1,8}`,
	"iri-reference":         uri + `|/[a-zäöü]{1,8}(/[a-z0-9]{1,8}){0,3}`,
	"uri-template":          `(https://` + host + `)?/[a-z]{1,8}(/\{[a-z]{1,8}\}){0,3}`,
	"uuid":                  `[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`,
	"json-pointer":          `(/([a-z0-9_-]|~0|~1){0,8}){0,4}`,
	"relative-json-pointer": `(0|[1-9][0-9]?)(#|(/[a-z0-9_-]{0,8}){0,3})`,
	"regex":                 `\^?([a-z]{1,4}|\[a-z\]|\[0-9\]|\.|\([a-z]{1,3}\|[a-z]{1,3}\)|\\d)([+*?]|\{2,4\})?\$?`,
	"semver":                `[0-9]{1,2}(\.[0-9]{1,2}){2}(-(alpha|beta|rc)\.[0-9])?`,
	"period":                "(" + dates + ")T(" + times24 + ")/P[0-9]{1,2}D",
}

const (
	dates = `(19|20)[0-9]{2}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13578]|1[02])-(29|30|31)|` +
		`(0[469]|11)-(29|30))`
	times24 = `([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`
	mailbox = `[a-z0-9]{1,8}([.+_-][a-z0-9]{1,8}){0,2}`
	host    = `[a-z0-9]{1,8}(-[a-z0-9]{1,8})?(\.[a-z0-9]{1,8}){0,2}\.[a-z]{2,6}`
	octet   = `(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	hextet  = `[0-9a-f]{1,4}`
	uri     = `(https?://(` + host + `)(:[1-9][0-9]{0,3})?(/[a-z0-9]{1,8}){0,3}(\?[a-z]{1,8}=[a-z0-9]{0,8})?` +
		`(#[a-z]{1,8})?|urn:[a-z]{2,8}:[a-z0-9]{1,12}|mailto:` + mailbox + `@` + host + `)`
)
