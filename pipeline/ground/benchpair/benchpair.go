// Package benchpair is for benchmarks, and nothing else imports it: it times two
// sides that run by turns, and takes the fastest turn of each. What else the
// machine does then is in neither.
package benchpair

import (
	"slices"
	"testing"
	"time"
)

// Pair holds the times that each side of a comparison took, run by run.
type Pair struct{ ours, peers []time.Duration }

// Ours runs and times promptc's side.
func (l *Pair) Ours(do func()) { l.ours = append(l.ours, timed(do)) }

// Peers runs and times the other side.
func (l *Pair) Peers(do func()) { l.peers = append(l.peers, timed(do)) }

func timed(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}

// Report gives the fastest turn of each side in place of the time of the loop
// and, as "ratio", how many of the peer's fit into one of ours.
func (l *Pair) Report(b *testing.B) {
	b.Helper()
	l.report(b, "ratio", func(ours, peers float64) float64 { return ours / peers })
}

// ReportSpeedup gives, beside the times, how many of ours fit into one of the
// peer's.
func (l *Pair) ReportSpeedup(b *testing.B) {
	b.Helper()
	l.report(b, "speedup", func(ours, peers float64) float64 { return peers / ours })
}

// report leaves out the peer where there is none.
func (l *Pair) report(b *testing.B, unit string, of func(ours, peers float64) float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // hides it
	ours := nanoseconds(l.ours)
	b.ReportMetric(ours, "ours-ns")
	if len(l.peers) > 0 {
		peers := nanoseconds(l.peers)
		b.ReportMetric(peers, "peer-ns")
		b.ReportMetric(of(ours, peers), unit)
	}
}

// nanoseconds gives the least of some times.
func nanoseconds(times []time.Duration) float64 { return float64(slices.Min(times)) }
