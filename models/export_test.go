package models

// ReadParts is Read with so many goroutines, which read parts of a size in bytes.
var ReadParts = read
