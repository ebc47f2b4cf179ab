// Package compat_test holds the promises that no single package can keep: the
// commands give LIBSVM's bytes (golden_test.go, live_test.go), faulty files get
// an error (malformed_test.go), and the packages import each other as
// ARCHITECTURE.md draws it (layers_test.go, source_test.go).
//
// Environment:
//
//	SLIMSVM_DATA, SLIMSVM_REQUIRE_ORACLES   see internal/testenv
//	SLIMSVM_LIVE             full: the comparison with the installed LIBSVM on whole data sets (some minutes)
//	SLIMSVM_BIN_DIR          folder of svm-train, svm-predict and svm-scale to test, for builds with
//	                         other tags or for another processor; default: they are built
package compat_test
