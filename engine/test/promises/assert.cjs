// Of Node's module `assert`, what promises-aplus-tests calls.
function assert(value) {
  if (!value) throw new Error(`${String(value)} was not expected`)
}
assert.strictEqual = (actual, expected) => {
  if (actual !== expected) throw new Error(`${String(actual)} is not ${String(expected)}`)
}
assert.notStrictEqual = (actual, unwanted) => assert(actual !== unwanted)
module.exports = assert
