// Put before each case: it runs in Node and in the engine, and prints one line of JSON for each fact.
{
  const { log } = console
  const show = (value) => {
    if (value === undefined) return 'undefined'
    if (typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))) {
      return Object.is(value, -0) ? '-0' : String(value)
    }
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'symbol' || typeof value === 'function') return String(value)
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return [...value].map(show)
    if (Array.isArray(value)) return value.map(show)
    return value
  }
  /** @param differs what `node` or `engine` does instead, when it is not what the specification says. */
  globalThis.fact = (name, value, expected, differs) => {
    const line = { name, value: show(value), expected: show(expected) }
    for (const key of Object.keys(differs ?? {})) line[key] = show(differs[key])
    log(JSON.stringify(line))
  }
  const nameOf = (error) => {
    if (error instanceof DOMException) return `DOMException ${error.name}`
    return error instanceof Error ? error.name : `thrown ${String(error)}`
  }
  /** The name of what a call throws, or 'nothing'. */
  globalThis.thrown = (run) => {
    try {
      run()
      return 'nothing'
    } catch (error) {
      return nameOf(error)
    }
  }
  globalThis.rejected = async (run) => {
    try {
      await (typeof run === 'function' ? run() : run)
      return 'nothing'
    } catch (error) {
      return nameOf(error)
    }
  }
  globalThis.jobs = async (count = 20) => {
    for (let i = 0; i < count; i++) await undefined
  }
  /** What a call returns, or the name of what it throws. */
  globalThis.attempt = (run) => {
    try {
      return run()
    } catch (error) {
      return nameOf(error)
    }
  }
}
