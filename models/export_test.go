package models

// ReadParts is Read with a number of goroutines, which read parts of the given size in bytes.
var ReadParts = read
