package eventstream_test

import (
	"bytes"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

func FuzzDecode(f *testing.F) {
	var headers eventstream.Headers
	headers.Set(":event-type", eventstream.StringValue("event"))
	headers.Set("count", eventstream.Int32Value(1))
	for _, m := range []eventstream.Message{{}, {Headers: headers, Payload: []byte("payload")}} {
		var b bytes.Buffer
		if err := eventstream.NewEncoder().Encode(&b, m); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		eventstream.NewDecoder().Decode(bytes.NewReader(b), nil)
	})
}
