module kinf.test/loadgen

go 1.26
