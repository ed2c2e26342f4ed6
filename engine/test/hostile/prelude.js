/** More frames than any limit lets through. */
const FRAMES = 1_000_000
const line = (value) => {
  lines.push(JSON.stringify(value))
  console.log(lines.at(-1))
}
const lines = []
/** Set by a runner: cases to leave out, or the one to run. */
const skipped = (name) => SKIP.includes(name) || (ONLY !== null && ONLY !== name)
const named = (error) => (error instanceof Error ? error.name : typeof error)
/** The work must return or throw: what does neither is a trap, and the case's line is missing. */
const ends = (name, work) => {
  if (skipped(name)) return
  console.log(`> ${name}`)
  try {
    const value = work()
    line({ case: name, outcome: 'value', value: typeof value === 'number' ? value : typeof value })
  } catch (error) {
    line({ case: name, outcome: named(error), message: String(error?.message).slice(0, 80) })
  }
}
const settles = async (name, work) => {
  if (skipped(name)) return
  console.log(`> ${name}`)
  try {
    const value = await work()
    line({ case: name, outcome: 'value', value: typeof value === 'number' ? value : typeof value })
  } catch (error) {
    line({ case: name, outcome: named(error), message: String(error?.message).slice(0, 80) })
  }
}
/** Calls `step` with a function that calls `step` again, until the engine ends it. */
const deep = (name, step) => {
  if (skipped(name)) return
  console.log(`> ${name}`)
  let frames = 0
  let last
  const again = () => {
    frames += 1
    if (frames > FRAMES) throw new Error('no end')
    try {
      return step(again)
    } catch (error) {
      last ??= named(error)
      throw error
    }
  }
  try {
    const value = again()
    if (value instanceof Promise) value.catch(() => {})
    line({ case: name, outcome: last ?? 'value', frames })
  } catch (error) {
    line({ case: name, outcome: named(error), frames })
  }
}
