// Package laps is for benchmarks, and nothing else imports it: it times two
// sides that run by turns, so that a slow moment of the machine meets both.
package laps

import (
	"slices"
	"testing"
	"time"
)

// Laps are the times that each side of a comparison took, run by run.
type Laps struct{ ours, peers []time.Duration }

// Ours runs and times promptc's side.
func (l *Laps) Ours(do func()) { l.ours = append(l.ours, timed(do)) }

// Peers runs and times the other side.
func (l *Laps) Peers(do func()) { l.peers = append(l.peers, timed(do)) }

func timed(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}

// Report gives the median of each side in place of the time of the loop and, as
// "ratio", how many of the peer's fit into one of ours.
func (l *Laps) Report(b *testing.B) {
	b.Helper()
	l.report(b, "ratio", func(ours, peers float64) float64 { return ours / peers })
}

// ReportSpeedup gives, beside the medians, how many of ours fit into one of the
// peer's.
func (l *Laps) ReportSpeedup(b *testing.B) {
	b.Helper()
	l.report(b, "speedup", func(ours, peers float64) float64 { return peers / ours })
}

// ReportExtra gives, beside the medians, what ours takes more than the peer.
func (l *Laps) ReportExtra(b *testing.B) {
	b.Helper()
	l.report(b, "extra-ns", func(ours, peers float64) float64 { return ours - peers })
}

// report leaves out the peer where there is none.
func (l *Laps) report(b *testing.B, unit string, of func(ours, peers float64) float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // hides it
	ours := median(l.ours)
	b.ReportMetric(ours, "ours-ns")
	if len(l.peers) > 0 {
		peers := median(l.peers)
		b.ReportMetric(peers, "peer-ns")
		b.ReportMetric(of(ours, peers), unit)
	}
}

// median gives nanoseconds.
func median(times []time.Duration) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[len(sorted)/2])
}
