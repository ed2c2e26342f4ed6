// Evaluated as a script: `isHasty` is a global of the test.
const { runAll } = require('./suite.cjs')

const load = () => require('promises-aplus-tests/lib/testFiles.js')
globalThis.outcome = runAll(load, globalThis.isHasty)
