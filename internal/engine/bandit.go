package engine

// A Bandit chooses among arms, which are kinds of mutations. Arms with more rewards are
// chosen more often. What it has learned fades, and every arm keeps a share.
//
// The estimate of an arm is its rewards per choice, as if it had begun with one reward in as
// many choices as a reward takes on the average of all arms. Its share is proportional to
// the square of the estimate, plus a fixed part.
type Bandit struct {
	arms  []arm
	table [banditTable]uint8 // each arm as often as its share
	left  int                // choices until the table is renewed
}

type arm struct{ tries, rewards float64 } // that still count

const (
	banditTable  = 1024
	banditPeriod = 256     // choices
	banditFixed  = 0.2     // what is shared equally
	banditMemory = 1 << 20 // choices; rewards fade earlier if there are many
)

// NewBandit returns a bandit with n arms. It panics unless n is from 1 to 128.
func NewBandit(n int) *Bandit {
	if n < 1 || n > 128 {
		panic("engine: a Bandit has 1 to 128 arms")
	}
	b := &Bandit{arms: make([]arm, n)}
	b.renew()
	return b
}

// Choose returns an arm, depending on a random number that is uniform in all its bits.
func (b *Bandit) Choose(rnd uint64) int {
	if b.left--; b.left < 0 {
		b.renew()
	}
	i := int(b.table[rnd%banditTable])
	b.arms[i].tries++
	return i
}

// Reward adds a reward, from 0 to 1, of an arm that was chosen.
func (b *Bandit) Reward(i int, r float64) { b.arms[i].rewards += min(max(r, 0), 1) }

func (b *Bandit) renew() {
	b.left = banditPeriod
	var tries, rewards float64
	for _, a := range b.arms {
		tries += a.tries
		rewards += a.rewards
	}
	if fade := rewards > 16*float64(len(b.arms)) || tries > banditMemory; fade {
		for i := range b.arms {
			b.arms[i].tries /= 2
			b.arms[i].rewards /= 2
		}
		tries, rewards = tries/2, rewards/2
	}
	prior := (tries + 1) / (rewards + 1)
	var shares [128]float64
	var sum float64
	for i, a := range b.arms {
		estimate := (a.rewards + 1) / (a.tries + prior) * prior
		shares[i] = estimate * estimate
		sum += shares[i]
	}
	n := len(b.arms)
	begin, end := 0, 0.0
	for i := range n {
		end += banditTable * (banditFixed/float64(n) + (1-banditFixed)*shares[i]/sum)
		stop := min(int(end), banditTable)
		if i == n-1 {
			stop = banditTable
		}
		for ; begin < stop; begin++ {
			b.table[begin] = uint8(i)
		}
	}
}
