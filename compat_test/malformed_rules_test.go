package compat_test

import (
	"strings"
	"testing"
)

// Every third thing a command could do with a faulty file must be found.
func TestMalformedFaults(t *testing.T) {
	const message = "Wrong input format at line 3: d.data:3:1: a label is missing\n"
	data := malformedCase{file: "d.data", command: "svm-train -q d.data out", ours: "error"}
	data.libsvm.exit, data.libsvm.stderr = "1", "Wrong input format at line 3"
	model := malformedCase{file: "m.model", command: "svm-predict good.data m.model out", ours: "either"}
	model.libsvm.exit, model.libsvm.stdout = "0", "Accuracy = 50% (10/20) (classification)"
	crash := model
	crash.libsvm.exit, crash.reason = "SIGSEGV", "refuse or warn"
	scale := malformedCase{file: "d.data", command: "svm-scale d.data", ours: "accept"}
	scale.libsvm.exit, scale.libsvm.stdout, scale.libsvm.stderr = "0", "/-1 1:-1 ", "WARNING"
	out := func(s string) map[string][]byte { return map[string][]byte{"out": []byte(s)} }
	accuracy := []byte("Accuracy = 50% (10/20) (classification)\n")

	for _, c := range []struct {
		name  string
		of    malformedCase
		got   outcome
		fault string // "": none
	}{
		{"refused", data, outcome{result: result{exit: 1, stderr: []byte(message)}}, ""},
		{"refused, empty file", data, outcome{result: result{exit: 1, stderr: []byte(message)}, files: out("")}, ""},
		{"accepted", data, outcome{files: out("SV\n")}, "accepted"},
		{"hung", data, outcome{result: result{exit: -1, late: true}}, "ran longer"},
		{"killed", data, outcome{result: result{exit: -1}}, "crashed"},
		{"panic", data, outcome{result: result{exit: 2, stderr: []byte("panic: index out of range\n\ngoroutine 1\n")}}, "crashed"},
		{"memory", data, outcome{result: result{exit: 1, stderr: []byte(message), memory: 1 << 30}}, "took 1024 MiB"},
		{"status", data, outcome{result: result{exit: 255, stderr: []byte(message)}}, "exit status 255"},
		{"silence", data, outcome{result: result{exit: 1}}, "not one line"},
		{"two lines", data, outcome{result: result{exit: 1, stderr: []byte(message + message)}}, "not one line"},
		{"no name", data, outcome{result: result{exit: 1, stderr: []byte("Wrong input format at line 3\n")}}, "does not name"},
		{"no line", data, outcome{result: result{exit: 1, stderr: []byte("d.data: a label is missing\n")}}, "no line number"},
		{"no prefix", data, outcome{result: result{exit: 1, stderr: []byte("d.data:3:1: a label is missing\n")}}, "does not begin"},
		{"half a model", data, outcome{result: result{exit: 1, stderr: []byte(message)}, files: out("svm_type c_svc\n")}, "written in spite"},
		{"half an output", data, outcome{result: result{exit: 1, stdout: []byte("1 1:1\n"), stderr: []byte(message)}}, "output in spite"},
		{"as LIBSVM", model, outcome{result: result{stdout: accuracy}, files: out("1\n")}, ""},
		{"other accuracy", model, outcome{result: result{stdout: []byte("Accuracy = 5% (1/20) (classification)\n")}, files: out("1\n")}, "does not end"},
		{"no prediction", model, outcome{result: result{stdout: accuracy}}, "not written"},
		{"nan", model, outcome{result: result{stdout: accuracy}, files: out("1\n-nan\n")}, "holds nan"},
		{"inf feature", model, outcome{result: result{stdout: accuracy}, files: out("1 2:inf \n")}, "holds nan"},
		{"where LIBSVM crashes, silently", crash, outcome{result: result{stdout: accuracy}, files: out("1\n")}, "without a warning"},
		{"scaled", scale, outcome{result: result{stdout: []byte("1 1:1 \n-1 1:-1 \n"), stderr: []byte("WARNING: more\n")}}, ""},
		{"scaled otherwise", scale, outcome{result: result{stdout: []byte("1 1:1 \n-1 1:-2 \n"), stderr: []byte("WARNING: more\n")}}, "does not end"},
		{"scaled without a warning", scale, outcome{result: result{stdout: []byte("1 1:1 \n-1 1:-1 \n")}}, "stderr does not begin"},
		{"not scaled", scale, outcome{result: result{exit: 255, stderr: []byte("d.data:1: no\n")}}, "refused"},
	} {
		faults := strings.Join(c.of.faults(c.got), "; ")
		if (c.fault == "") != (faults == "") || !strings.Contains(faults, c.fault) {
			t.Errorf("%s: faults %q, want %q", c.name, faults, c.fault)
		}
	}
}
