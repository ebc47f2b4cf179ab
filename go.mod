module github.com/slimsvm/slimsvm

go 1.26

require github.com/google/renameio/v2 v2.0.2

require github.com/klauspost/compress v1.20.3

require (
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/ulikunitz/xz v0.5.17 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
