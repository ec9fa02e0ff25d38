package agent_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"io"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

func FuzzServeAgent(f *testing.F) {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	f.Add(request([]byte{11})) // list the keys
	f.Add(request(ssh.Marshal(struct {
		Type     string `sshtype:"17"`
		Pub      []byte
		Priv     []byte
		Comments string
	}{ssh.KeyAlgoED25519, key.Public().(ed25519.PublicKey), key, "a key"})))
	f.Fuzz(func(t *testing.T, b []byte) {
		agent.ServeAgent(agent.NewKeyring(), struct {
			io.Reader
			io.Writer
		}{bytes.NewReader(b), io.Discard})
	})
}

// request returns a message, after its length.
func request(b []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...)
}
