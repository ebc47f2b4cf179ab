//go:build !amd64 || purego

package scan

var implementations = [...]implementation{portable}
