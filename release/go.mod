module github.com/promptc-build/promptc/release

go 1.26.5
