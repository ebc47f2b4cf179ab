module github.com/slimsvm/slimsvm

go 1.26
