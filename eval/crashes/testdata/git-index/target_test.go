package index_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing/format/index"
)

func FuzzDecode(f *testing.F) {
	for _, version := range []uint32{2, 4} {
		var b bytes.Buffer
		now := time.Unix(1, 0)
		err := index.NewEncoder(&b).Encode(&index.Index{Version: version, Entries: []*index.Entry{
			{CreatedAt: now, ModifiedAt: now, Name: "dir/a", Size: 1},
			{CreatedAt: now, ModifiedAt: now, Name: "dir/b", Size: 2},
		}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		index.NewDecoder(bytes.NewReader(b)).Decode(new(index.Index))
	})
}
