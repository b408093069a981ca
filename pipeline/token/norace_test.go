//go:build !race

package token_test

const raced = false
