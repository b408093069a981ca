//go:build !linux

package record

import (
	"io"
	"os"

	"github.com/promptc-build/promptc/pipeline/ground/diag"
)

// Offline is for Linux alone.
func Offline([]string, io.Reader, io.Writer, io.Writer, ...os.Signal) (status int, again bool, err error) {
	return 0, true, &diag.Failure{Fact: diag.Say("offline-elsewhere")}
}
