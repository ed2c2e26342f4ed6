// Evaluated between testharness.js and a test file. `DEADLINE_MS` is put before it.
{
  const { promise, resolve } = Promise.withResolvers()
  const found = new Map()
  const note = ({ name, status, message }) =>
    found.set(name, [status, message?.slice(0, 300) ?? ''])
  const STATUS = ['OK', 'ERROR', 'TIMEOUT', 'PRECONDITION_FAILED']
  const end = (status, message) => resolve({ status, message, tests: [...found] })
  add_test_state_callback(note)
  add_result_callback(note)
  const timer = setTimeout(end, DEADLINE_MS, 'TIMEOUT', `not done after ${DEADLINE_MS} ms`)
  const { clearTimeout } = globalThis
  add_completion_callback((tests, { status, message }) => {
    clearTimeout(timer)
    tests.forEach(note)
    end(STATUS[status], message?.slice(0, 300) ?? '')
  })
  globalThis.finished = promise
}
