# Where the other examples find the commands: those of this checkout.
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/bin/" ./cmd/svm-train ./cmd/svm-predict ./cmd/svm-scale
PATH=$work/bin:$PATH
root=$PWD
data=$PWD/examples/data
cd "$work"
