package planted
import ("testing";"math/rand/v2";"github.com/espalier-go/espalier/bigen")
type fake struct{ testing.TB; bad bool }
func (f *fake) Helper() {}
func (f *fake) Errorf(string, ...any) { f.bad = true }
func TestTmp(t *testing.T) {
	r := rand.New(rand.NewPCG(1,1))
	var a,b,c int
	const n = 100000
	for range n {
		o := bigen.Sample(genOperation, r)
		f := &fake{}; insert(f, o); if f.bad {a++}
		f = &fake{}; del(f, o); if f.bad {b++}
		p := bigen.Sample(genPair, r)
		f = &fake{}; union(f, p); if f.bad {c++}
	}
	t.Log(a,b,c)
}
