package simd_test

import (
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/slimsvm/slimsvm/format/vec/simd"
)

func TestParse(t *testing.T) {
	for l := simd.Portable; l <= simd.AVX512; l++ {
		if got, err := simd.Parse(l.String()); got != l || err != nil {
			t.Errorf("%q: %v, %v", l, got, err)
		}
	}
	const want = `unknown instructions "AVX", expected portable, avx2 or avx512`
	if _, err := simd.Parse("AVX"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestUse(t *testing.T) {
	best := simd.Best()
	if simd.Current() != best {
		t.Errorf("%v in use, want %v", simd.Current(), best)
	}
	for l := simd.Portable; l <= best; l++ {
		before := simd.Use(l)
		if simd.Current() != l {
			t.Errorf("%v in use, want %v", simd.Current(), l)
		}
		if back := simd.Use(before); back != l {
			t.Errorf("%v was in use, want %v", back, l)
		}
	}
	for _, l := range []simd.Level{best + 1, -1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("level %d can be used", int(l))
				}
			}()
			simd.Use(l)
		}()
	}
}

// TestBest compares with the kernel's list of features.
func TestBest(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || runtime.GOARCH != "amd64" || pure {
		t.Skipf("needs the feature list of Linux on amd64, and a build with assembly: %s, %v", runtime.GOARCH, err)
	}
	has := func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).Match(text) }
	want := simd.Portable
	if has("avx2") && has("fma") {
		want = simd.AVX2
		if has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl") && has("avx512_vpopcntdq") && has("avx512_vnni") {
			want = simd.AVX512
		}
	}
	if simd.Best() != want {
		t.Errorf("%v, but the system lists %v", simd.Best(), want)
	}
}

// TestFourUnits compares with what the kernel says of the processor.
func TestFourUnits(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || runtime.GOARCH != "amd64" || pure {
		t.Skipf("needs Linux on amd64, and a build with assembly: %s, %v", runtime.GOARCH, err)
	}
	family := regexp.MustCompile(`(?m)^cpu family\s*: (\d+)$`).FindSubmatch(text)
	if family == nil {
		t.Fatal("the system lists no family")
	}
	number, err := strconv.Atoi(string(family[1]))
	if err != nil {
		t.Fatal(err)
	}
	amd := regexp.MustCompile(`(?m)^vendor_id\s*: AuthenticAMD$`).Match(text)
	defer simd.Use(simd.Current())
	for l := simd.Portable; l <= simd.Best(); l++ {
		simd.Use(l)
		if got, want := simd.FourUnits(), l == simd.AVX512 && amd && number >= 26; got != want {
			t.Errorf("%v, AMD %v, family %d: four units %v, want %v", l, amd, number, got, want)
		}
	}
}
