// What a test file and our runner use of the harness of web-platform-tests, for the tests of the runner.
{
  const [PASS, FAIL, NOTRUN] = [0, 1, 3]
  const callbacks = { state: [], result: [], completion: [] }
  const tests = []
  let waiting = Promise.resolve()

  function add(name, run) {
    const one = { name, status: NOTRUN, message: '' }
    tests.push(one)
    const end = (status, message) => {
      Object.assign(one, { status, message })
      for (const callback of callbacks.result) callback(one)
    }
    waiting = waiting.then(async () => {
      for (const callback of callbacks.state) callback(one)
      await run().then(
        () => end(PASS, ''),
        (error) => end(FAIL, error.message),
      )
    })
  }
  globalThis.test = (run, name) => add(name, async () => run())
  globalThis.promise_test = (run, name) => add(name, async () => run())
  globalThis.assert_equals = (actual, expected) => {
    if (!Object.is(actual, expected)) throw new Error(`expected ${expected} but got ${actual}`)
  }
  globalThis.add_test_state_callback = (callback) => callbacks.state.push(callback)
  globalThis.add_result_callback = (callback) => callbacks.result.push(callback)
  globalThis.add_completion_callback = (callback) => callbacks.completion.push(callback)
  queueMicrotask(async () => {
    for (let known; known !== waiting; await waiting) known = waiting
    for (const callback of callbacks.completion) callback(tests, { status: 0 })
  })
}
