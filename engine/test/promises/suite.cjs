// The interface of mocha that promises-aplus-tests uses. Most of its tests wait, so they run at the same time.
const TIMEOUT_MS = 5_000
const tests = []
let open = { name: '', hooks: { before: [], after: [] }, parent: undefined }

globalThis.describe = (name, body) => {
  const parent = open
  open = { name, hooks: { before: [], after: [] }, parent }
  try {
    body()
  } finally {
    open = parent
  }
}
globalThis.specify = (name, body) => tests.push({ name, body, suite: open })
globalThis.beforeEach = (hook) => open.hooks.before.push(hook)
globalThis.afterEach = (hook) => open.hooks.after.push(hook)

/** A promise as it must not be: it calls its handlers at once. */
function makeHasty() {
  const { promise, resolve, reject } = Promise.withResolvers()
  const handlers = []
  return {
    promise: {
      then(fulfilled, rejected) {
        if (typeof fulfilled === 'function') handlers.push(fulfilled)
        return promise.then(fulfilled, rejected)
      },
    },
    resolve(value) {
      for (const handler of handlers) handler(value)
      resolve(value)
    },
    reject,
  }
}

globalThis.adapter = {
  deferred: () => Promise.withResolvers(),
  resolved: (value) => Promise.resolve(value),
  rejected: (reason) => Promise.reject(reason),
}

const suitesOf = (suite) => (suite ? [...suitesOf(suite.parent), suite] : [])

async function run({ name, body, suite }) {
  const suites = suitesOf(suite)
  for (const { hooks } of suites) for (const hook of hooks.before) hook()
  const { promise, resolve, reject } = Promise.withResolvers()
  const done = (error) => (error === undefined ? resolve() : reject(error))
  const timer = setTimeout(done, TIMEOUT_MS, new Error(`not done after ${TIMEOUT_MS} ms`))
  try {
    body(done)
    if (body.length > 0) await promise
  } catch (error) {
    return `${[...suites.slice(1).map((each) => each.name), name].join(' > ')}: ${error}`
  } finally {
    clearTimeout(timer)
    for (const { hooks } of suites) for (const hook of hooks.after) hook()
  }
}

/** Tests that share variables: one after another. */
async function runInTurn(several) {
  const failures = []
  for (const test of several) failures.push(await run(test))
  return failures
}

/**
 * @param load reads the tests.
 * @param isHasty whether the promises are wrong, which the tests must notice.
 */
exports.runAll = async (load, isHasty) => {
  if (isHasty) globalThis.adapter.deferred = makeHasty
  load()
  const hasHooks = ({ hooks }) => hooks.before.length + hooks.after.length > 0
  const groups = Map.groupBy(tests, ({ suite }) => suitesOf(suite).find(hasHooks) ?? suite)
  const failures = await Promise.all([...groups.values()].map(runInTurn))
  return { count: tests.length, failures: failures.flat().filter(Boolean) }
}
