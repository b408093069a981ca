package diag

import (
	"errors"
	"fmt"
	"strings"
)

// Failure is an error of promptc's own: the job could not be done, or the command
// line names nothing. Package wording makes its text, like that of a finding.
type Failure struct {
	Fact  Words
	Hint  Words // what to do; may say nothing
	Cause error // nil for none
}

// Fail makes a failure. An error among the arguments is its cause.
func Fail(key string, args ...any) *Failure {
	f := &Failure{Fact: Say(key, args...)}
	for _, arg := range args {
		if err, ok := arg.(error); ok {
			f.Cause = err
		}
	}
	return f
}

// WithHint gives the same failure with a hint.
func (f *Failure) WithHint(key string, args ...any) *Failure {
	out := *f
	out.Hint = Say(key, args...)
	return &out
}

// Error is for developers; Fact is what people are told.
func (f *Failure) Error() string {
	return strings.TrimSpace(fmt.Sprintln(append([]any{f.Fact.Key}, f.Fact.Args...)...))
}

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Cause }

func (f *Failure) self() *Failure { return f }

// FailureIn gives the outermost failure in an error, nil for none. It may be a part of
// an error of another type.
func FailureIn(err error) *Failure {
	if f, ok := errors.AsType[interface {
		error
		self() *Failure
	}](err); ok {
		return f.self()
	}
	return nil
}
