#!/bin/sh
# Builds slimsvm's four commands, static, and installs them with manual pages and completions for
# bash, zsh and fish:
#
#     sh install.sh                                      below /usr/local
#     PREFIX=$HOME/.local sh install.sh                  elsewhere
#     DESTDIR=package PREFIX=/usr sh install.sh          in package/usr, for a package
#     GOOS=linux GOARCH=arm64 PREFIX=arm64 sh install.sh for another machine
#     sh install.sh --uninstall                          removes what it installed
#
# It needs Go, and no root if PREFIX may be written to.
set -eu

commands='svm-train svm-predict svm-scale slimsvm'
to=${DESTDIR:-}${PREFIX:-/usr/local}
case $to in
/* | ?:*) ;;
*) to=$PWD/$to ;;
esac
bin=$to/bin
pages=$to/share/man/man1
bash=$to/share/bash-completion/completions/slimsvm
zsh=$to/share/zsh/site-functions/_slimsvm
fish=$to/share/fish/vendor_completions.d/slimsvm.fish

case ${1:-} in
'') ;;
--uninstall)
	for c in $commands; do rm -f "$bin/$c" "$bin/$c.exe"; done
	for page in "$(dirname "$0")"/docs/man/*.1; do rm -f "$pages/${page##*/}"; done
	rm -f "$bash" "$zsh" "$fish"
	exit
	;;
*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac

cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
for c in $commands; do
	CGO_ENABLED=0 go build -o "$work/bin/" "./cmd/$c"
done
here=$work/bin/slimsvm # that runs on this machine
if [ "$(go env GOOS GOARCH)" != "$(go env GOHOSTOS GOHOSTARCH)" ]; then
	here=$work/here
	env -u GOOS -u GOARCH go build -o "$here" ./cmd/slimsvm
fi
for shell in bash zsh fish; do
	"$here" completion $shell >"$work/$shell"
done

# put FILE TARGET MODE: a file that is in use, such as a command that runs, is replaced, not changed
put() {
	mkdir -p "$(dirname "$2")"
	cp "$1" "$2.new"
	chmod "$3" "$2.new"
	mv -f "$2.new" "$2"
}
for file in "$work"/bin/*; do put "$file" "$bin/${file##*/}" 755; done
for page in docs/man/*.1; do put "$page" "$pages/${page##*/}" 644; done
put "$work/bash" "$bash" 644
put "$work/zsh" "$zsh" 644
put "$work/fish" "$fish" 644

echo "installed in $bin: $commands"
if [ -z "${DESTDIR:-}" ] && [ "$here" = "$work/bin/slimsvm" ]; then
	for c in $commands; do # LIBSVM's may come first
		found=$(command -v "$c" || true)
		if [ "$found" != "$bin/$c" ]; then
			echo "$c is ${found:-not found}: put $bin first in PATH"
		fi
	done
fi
