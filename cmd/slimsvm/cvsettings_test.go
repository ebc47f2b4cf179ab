package main

import (
	"os"
	"strings"
	"testing"
)

// TestSettings: cv --json tells what it was called with.
func TestSettings(t *testing.T) {
	t.Chdir(t.TempDir())
	rows, _, _ := slimsvmSays(t, "generate", "moons", "--rows", "20")
	numbers, _, _ := slimsvmSays(t, "generate", "sinc", "--rows", "20")
	for name, text := range map[string]string{
		"moons": rows, "sinc": numbers,
		"fruit.csv": "size,kind\n1,a=b\n2,c\n3,a=b\n4,c\n5,a=b\n6,c\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"moons":                                `"kernel":{"name":"rbf","gamma":0.5},"cost":1}`,
		"--gamma 4 --cost 3 --noise 0.2 moons": `"kernel":{"name":"rbf","gamma":4},"cost":3,"noise":0.2}`,
		"--method nusvc --nu 0.3 --kernel poly --degree 2 --coef0 1 --gamma 1 --weka moons": `"kernel":{"name":"poly","degree":2,"gamma":1,"coef0":1},"nu":0.3}`,
		"--weight a=b=2 --weight c=0.5 fruit.csv":                                           `"cost":1,"weights":[{"label":"a=b","weight":2},{"label":"c","weight":0.5}]}`,
		"--method epsilon-svr --epsilon 0.2 --tolerance 0.01 --no-shrinking sinc":           `"cost":1,"epsilon":0.2,"options":{"no-shrinking":true,"tolerance":0.01}}`,
		"--method rsvm --multiclass ovr --share 0.5 --sharpness inf --draw kmeans moons":    `"cost":100,"options":{"draw":"kmeans","multiclass":"ovr","share":0.5,"sharpness":"Infinity"}}`,
		"--method psvm --iterations 2 --lean moons":                                         `"kernel":{"name":"linear"},"cost":1,"options":{"iterations":2,"lean":true}}`,
	} {
		out, problem, status := slimsvmSays(t, append([]string{"cv", "--json", "--folds", "2"}, strings.Fields(line)...)...)
		if status != 0 || !strings.HasSuffix(out, want+"\n") {
			t.Errorf("cv %s: %d, %s%s want ...%s", line, status, out, problem, want)
		}
	}
}
