package rsvm_test

import (
	"math"
	"testing"

	"github.com/slimsvm/slimsvm/models/kernel"
	"github.com/slimsvm/slimsvm/train"
	"github.com/slimsvm/slimsvm/train/rsvm"
	"github.com/slimsvm/slimsvm/train/traintest"
)

func TestConformance(t *testing.T) {
	options := func(r train.Report, s rsvm.Set) rsvm.Options {
		o := rsvm.DefaultOptions()
		o.Kernel, o.Report, o.Set, o.Cost = kernel.RBF{Gamma: 0.5}, r, s, 1000
		return o
	}
	exact := func(o rsvm.Options) rsvm.Options {
		o.Alpha = math.Inf(1)
		return o
	}
	for _, m := range []struct {
		name string
		new  traintest.New
		o    traintest.Options
	}{
		{"SSVM", func(r train.Report) train.Trainer {
			return rsvm.Classifier{Options: options(r, rsvm.Full{})}
		}, traintest.Options{Accuracy: 0.95, Rows: 90}},
		{"SSVM against the rest", func(r train.Report) train.Trainer {
			return rsvm.Classifier{Options: options(r, rsvm.Full{}), OneVsRest: true}
		}, traintest.Options{Accuracy: 0.95, Rows: 90}},
		{"RSVM", func(r train.Report) train.Trainer {
			return rsvm.Classifier{Options: options(r, rsvm.Random{Vectors: 40})}
		}, traintest.Options{Accuracy: 0.93}},
		{"RSVM over centres", func(r train.Report) train.Trainer {
			return rsvm.Classifier{Options: options(r, rsvm.Random{Vectors: 40, Even: true, Centres: true})}
		}, traintest.Options{Accuracy: 0.93}},
		{"RSVM with the plus function", func(r train.Report) train.Trainer {
			return rsvm.Classifier{Options: exact(options(r, rsvm.Random{Vectors: 40}))}
		}, traintest.Options{Accuracy: 0.93}},
		{"RSVM against the rest", func(r train.Report) train.Trainer {
			return rsvm.Classifier{Options: options(r, rsvm.Random{Vectors: 40}), OneVsRest: true}
		}, traintest.Options{Accuracy: 0.93}},
		{"SSRSVM", func(r train.Report) train.Trainer {
			return rsvm.Classifier{Options: options(r, rsvm.DefaultSystematic())}
		}, traintest.Options{Accuracy: 0.85, Rows: 400}},
		{"eps-SSVR", func(r train.Report) train.Trainer {
			return rsvm.Regression{Options: options(r, rsvm.Full{}), Epsilon: 0.05}
		}, traintest.Options{Regression: true, Accuracy: 0.8}},
		{"reduced eps-SSVR", func(r train.Report) train.Trainer {
			return rsvm.Regression{Options: options(r, rsvm.DefaultRandom()), Epsilon: 0.05}
		}, traintest.Options{Regression: true, Accuracy: 0.8}},
		{"eps-SSVR over centres", func(r train.Report) train.Trainer {
			return rsvm.Regression{Options: options(r, rsvm.Random{Vectors: 40, Centres: true}), Epsilon: 0.05}
		}, traintest.Options{Regression: true, Accuracy: 0.8}},
		{"systematic eps-SSVR", func(r train.Report) train.Trainer {
			return rsvm.Regression{Options: exact(options(r, rsvm.DefaultSystematic())), Epsilon: 0.05}
		}, traintest.Options{Regression: true, Accuracy: 0.8}},
	} {
		t.Run(m.name, func(t *testing.T) { traintest.Run(t, m.new, m.o) })
	}
}
