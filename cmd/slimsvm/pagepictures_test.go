package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPicturesOfPages: the pictures on the pages are what the commands there draw, on any number of threads.
func TestPicturesOfPages(t *testing.T) {
	for page, pictures := range map[string][][2]string{
		"cv":   {{"roc.svg", "roc.svg"}},
		"grid": {{"search.svg", "grid.svg"}},
		"plot": {{"board.svg", "checkerboard.svg"}, {"isolated.svg", "isolated.svg"}, {"sinc.svg", "sinc.svg"}, {"friedman.svg", "friedman.svg"}},
	} {
		t.Run(page, func(t *testing.T) {
			text := readPage(t, pageFolder+"/"+page+".md")
			folder, err := filepath.Abs(pageFolder + "/../pictures")
			if err != nil {
				t.Fatal(err)
			}
			lines := regexp.MustCompile(`(?m)^\$ slimsvm (.*)$`).FindAllStringSubmatch(text, -1)
			for n, threads := range []string{"1", "3"} {
				t.Chdir(t.TempDir())
				drawn := 0
				for _, line := range lines {
					if strings.Contains(line[1], "|") { // has no part in a picture
						continue
					}
					words, to, kept := strings.Cut(line[1], " > ")
					draws := strings.Contains(words, ".svg")
					switch {
					case kept:
						if err := os.WriteFile(to, []byte(command(t, words)), 0o666); err != nil {
							t.Fatal(err)
						}
					case draws || strings.HasPrefix(words, "train "):
						if !strings.HasPrefix(words, "plot ") {
							words += " --threads " + threads
						}
						command(t, words)
					}
					if draws {
						drawn++
					}
				}
				if drawn != len(pictures) {
					t.Fatalf("the page draws %d pictures, want %d", drawn, len(pictures))
				}
				for _, p := range pictures {
					got, kept := readPage(t, p[0]), filepath.Join(folder, p[1])
					if *update && n == 0 {
						if err := os.WriteFile(kept, []byte(got), 0o666); err != nil {
							t.Fatal(err)
						}
					}
					if !strings.Contains(text, "](../pictures/"+p[1]+")") {
						t.Errorf("%s is not on the page", p[1])
					}
					if got != readPage(t, kept) || len(got) > 50_000 {
						t.Errorf("%s is not what is drawn on %s threads, %d bytes (go test ./cmd/slimsvm -run PicturesOfPages -update writes it again)", kept, threads, len(got))
					}
				}
			}
		})
	}
}
