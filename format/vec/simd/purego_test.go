//go:build purego

package simd_test

const pure = true
