package compat_test

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// A page is what others may link to: the anchors of its headings, and its own links.
type page struct {
	anchors map[string]bool
	links   []string
}

var (
	pageHeading = regexp.MustCompile(`^#{1,6} +(.*?)[ #]*$`)
	pageLink    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	pageCode    = regexp.MustCompile("`[^`]*`")
	pageTarget  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// pageOf reads Markdown: headings and links outside of blocks and spans of code.
func pageOf(text string) page {
	p, times, code := page{anchors: map[string]bool{}}, map[string]int{}, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if code || strings.HasPrefix(line, "    ") {
			continue
		}
		if m := pageHeading.FindStringSubmatch(line); m != nil {
			anchor := anchorOf(m[1])
			name := anchor
			if n := times[anchor]; n > 0 {
				name += "-" + strconv.Itoa(n)
			}
			times[anchor]++
			p.anchors[name] = true
		}
		for _, m := range pageLink.FindAllStringSubmatch(pageCode.ReplaceAllString(line, ""), -1) {
			p.links = append(p.links, m[1])
		}
	}
	return p
}

// anchorOf returns the anchor of a heading: letters and digits in lower case, hyphens for blanks,
// nothing for other signs.
func anchorOf(heading string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
			return unicode.ToLower(c)
		}
		return -1
	}, pageTarget.ReplaceAllString(heading, "$1"))
}

// brokenLinks returns the links of pages in a folder that lead nowhere, and how many links there are.
func brokenLinks(root string) (broken []string, links int, err error) {
	pages := map[string]page{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(path, ".md") {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			pages[path] = pageOf(string(text))
		}
		return nil
	})
	for path, p := range pages {
		for _, link := range p.links {
			u, parseErr := url.Parse(link)
			if parseErr == nil && u.Scheme != "" { // of somebody else
				continue
			}
			links++
			if parseErr != nil {
				broken = append(broken, path+": "+link)
				continue
			}
			to := path
			if u.Path != "" {
				to = filepath.Join(filepath.Dir(path), filepath.FromSlash(u.Path))
			}
			if _, statErr := os.Stat(to); statErr != nil || u.Fragment != "" && !pages[to].anchors[u.Fragment] {
				broken = append(broken, path+": "+link)
			}
		}
	}
	return broken, links, err
}

// TestLinksOfPages: links from a page to another, to a heading or to a file lead there.
func TestLinksOfPages(t *testing.T) {
	broken, links, err := brokenLinks("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range broken {
		t.Errorf("%s leads nowhere", link)
	}
	if links < 100 {
		t.Errorf("%d links: pages are not found", links)
	}
	t.Logf("%d links", links)
}

// TestBrokenLinks: files, headings and second headings of one text are told apart; code has no links.
func TestBrokenLinks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.md": "# A `b`: C_d, e\n## Same\n## Same\n[x](b.md) [y](b.md#up) [z](#a-b-c_d-e) [s](#same-1) [w](https://example.org/none) [f](b.txt)\n" +
			"[1](c.md) [2](b.md#down) [3](#same-2) `[code](d.md)`\n```\n[code](e.md)\n# No heading\n```\n[4](#no-heading)\n",
		"b.md":  "Text\n\n### Up\n",
		"b.txt": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	broken, links, err := brokenLinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := filepath.Join(dir, "a.md")
	if want := []string{a + ": c.md", a + ": b.md#down", a + ": #same-2", a + ": #no-heading"}; strings.Join(broken, "\n") != strings.Join(want, "\n") || links != 9 {
		t.Errorf("%d links, of which lead nowhere:\n%s\nwant:\n%s", links, strings.Join(broken, "\n"), strings.Join(want, "\n"))
	}
}
