module github.com/slimsvm/slimsvm

go 1.26

require github.com/google/renameio/v2 v2.0.2

require github.com/klauspost/compress v1.20.3
