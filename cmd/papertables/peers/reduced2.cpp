// Test errors of dlib's reduced2: TRAIN TEST COST GAMMA SEED SIZE...
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <dlib/svm.h>

typedef dlib::matrix<double, 0, 1> sample;
typedef dlib::radial_basis_kernel<sample> rbf;

// read appends the rows of a file in LIBSVM's format, of so many features.
static void read(const char* path, long features, std::vector<sample>& xs, std::vector<double>& ys) {
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        double y;
        words >> y;
        sample x(features);
        x = 0;
        long index;
        char colon;
        double value;
        while (words >> index >> colon >> value)
            if (index >= 1 && index <= features) x(index - 1) = value;
        xs.push_back(x);
        ys.push_back(y);
    }
}

static long features(const char* path) {
    std::ifstream in(path);
    std::string line;
    long most = 1;
    while (std::getline(in, line)) {
        std::size_t colon = line.rfind(':');
        if (colon == std::string::npos) continue;
        std::size_t space = line.rfind(' ', colon);
        most = std::max(most, std::atol(line.c_str() + space + 1));
    }
    return most;
}

int main(int argc, char** argv) {
    if (argc < 7) return 2;
    std::vector<sample> xs, xt;
    std::vector<double> ys, yt;
    long n = std::max(features(argv[1]), features(argv[2])); // of rows of a test file too
    read(argv[1], n, xs, ys);
    read(argv[2], n, xt, yt);
    double first = ys[0]; // it becomes +1, all else -1
    for (double& y : ys) y = y == first ? 1 : -1;
    for (double& y : yt) y = y == first ? 1 : -1;
    dlib::svm_c_trainer<rbf> trainer;
    trainer.set_kernel(rbf(std::atof(argv[4])));
    trainer.set_c(std::atof(argv[3]));
    for (int k = 6; k < argc; k++) {
        dlib::decision_function<rbf> f = dlib::reduced2(trainer, std::atol(argv[k])).train(xs, ys);
        long wrong = 0;
        for (std::size_t i = 0; i < xt.size(); i++) wrong += (f(xt[i]) > 0) != (yt[i] > 0);
        std::cout << argv[k] << ' ' << 100.0 * wrong / xt.size() << std::endl;
    }
}
