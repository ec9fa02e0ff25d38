package engine

// A Bandit chooses among arms: kinds of mutations, ways to make a value. Arms that have paid more
// for what they cost are chosen more often. What it has learned fades, and every arm keeps a share.
// Its choices depend only on what it is told and on random numbers, never on time.
//
// The estimate of an arm is its rewards divided by its cost, as if it had begun with some rewards
// at the average cost of all arms. Its share of the cost, not of the choices, is proportional to
// a power of the estimate, plus a fixed part.
type Bandit struct {
	// The defaults are for mutations, which rarely pay. If most arms pay, it takes more focus to
	// prefer the best of them: with the defaults, the strategies of package rl make a tenth
	// fewer unique valid inputs in the study of RLCheck.
	Focus  int     // how often estimates are squared
	Fixed  float64 // the part of the cost that all arms share equally
	Doubt  float64 // the rewards with which an arm begins
	Memory float64 // rewards of an arm, in the mean, until all count half

	arms []arm
	sums []float64 // of the shares of choices
	left int       // choices until the sums are renewed
}

type arm struct{ chosen, cost, rewards float64 } // that still count

const (
	banditPeriod = 16      // choices
	banditMemory = 1 << 20 // cost after which all counts half, however few rewards there are
)

// NewBandit returns a bandit with n arms, 1 or more.
func NewBandit(n int) *Bandit {
	return &Bandit{
		Focus:  1,
		Fixed:  0.2,
		Doubt:  1,
		Memory: 16,
		arms:   make([]arm, n),
		sums:   make([]float64, n),
	}
}

// Choose returns an arm, given a random number that is uniform in all its bits. The choice costs
// 1.
func (b *Bandit) Choose(rnd uint64) int {
	if b.left--; b.left < 0 {
		b.renew()
	}
	x := float64(float64(rnd>>11) / (1 << 53) * b.sums[len(b.sums)-1])
	i := 0
	for b.sums[i] <= x && i < len(b.sums)-1 {
		i++
	}
	b.arms[i].chosen++
	b.arms[i].cost++
	return i
}

// Spend adds to the cost of an arm, in addition to the 1 of each choice.
func (b *Bandit) Spend(i int, cost float64) { b.arms[i].cost += cost }

// Reward adds a reward, from 0 to 1, of an arm that was chosen.
func (b *Bandit) Reward(i int, r float64) { b.arms[i].rewards += min(max(r, 0), 1) }

// renew computes the shares. The conversions stop compilers from fusing operations, which would
// round differently on some platforms.
func (b *Bandit) renew() {
	b.left = banditPeriod
	var cost, rewards float64
	for _, a := range b.arms {
		cost += a.cost
		rewards += a.rewards
	}
	if rewards > float64(b.Memory*float64(len(b.arms))) || cost > banditMemory {
		for i := range b.arms {
			b.arms[i].chosen /= 2
			b.arms[i].cost /= 2
			b.arms[i].rewards /= 2
		}
		cost, rewards = cost/2, rewards/2
	}
	prior, sum := (cost+1)/(rewards+1), 0.0
	for i, a := range b.arms {
		share := float64((a.rewards + b.Doubt) / (a.cost + float64(b.Doubt*prior)) * prior)
		for range b.Focus {
			share = float64(share * share)
		}
		sum += share
		b.sums[i] = share
	}
	fixed := float64(sum * b.Fixed / (1 - b.Fixed) / float64(len(b.arms)))
	sum = 0
	for i, a := range b.arms {
		sum += float64((b.sums[i] + fixed) * (a.chosen + 1) / (a.cost + 1))
		b.sums[i] = sum
	}
}
