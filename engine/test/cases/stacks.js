// Who called whom, also over await: the names of the frames, and their lines from the first.
const later = () => Promise.resolve()
const frames = (error) => {
  const own = error.stack
    .split('\n')
    .filter((line) => /^ +at .*\d+:\d+\)?$/.test(line) && !line.includes('node:'))
  const lines = own.map((line) => Number(/(\d+):\d+\)?$/.exec(line)[1]))
  return own.map((line, at) => {
    const [, name = ''] = /^ +at (?:(.+) )?\(?[^ ]+:\d+:\d+\)?$/.exec(line)
    const said = name
      .replace(/\bnew /, '')
      .replace('<anonymous>', '')
      .replace(/^async$/, 'async ')
    return `${said} ${lines[at] - lines[0]}`
  })
}
const of = async (run) => {
  try {
    return await run()
  } catch (error) {
    return frames(error)
  }
}

async function inner() {
  await later()
  throw new Error('inner')
}
async function outer() {
  const value = await inner(1, 2)
  return value
}
class Wrapped extends Error {}
async function wraps() {
  try {
    await outer()
  } catch (cause) {
    throw new Wrapped('wraps', { cause })
  }
}
async function top() {
  await wraps()
}
const two = async (run) => (await of(run)).slice(0, 2)
fact('over await', await two(() => outer()), ['inner 0', 'async outer 3'])
fact('of an error that wraps another one', await two(() => top()), ['wraps 0', 'async top 4'])
fact('in a chain of then', await two(() => outer().then((x) => x)), ['inner 0', 'async outer 3'])
const fails = () => {
  throw new Error('x')
}
const calls = () =>
  fails(
    () => 1,
    () => 2,
  )
fact('a call of several lines is where it begins', await two(calls), ['fails 0', 'calls 3'])
fact(
  'an error of a native function in a job',
  await Promise.resolve('{')
    .then(JSON.parse)
    .catch((error) => error.name),
  'SyntaxError',
)
for (const work of [(x) => [x].map(JSON.parse), (x) => Reflect.apply(JSON.parse, undefined, [x])]) {
  fact(
    `natives call natives in a job: ${work}`,
    await Promise.resolve('{')
      .then(work)
      .catch((error) => error.name),
    'SyntaxError',
  )
}
const bound = JSON.parse.bind(undefined, '{')
fact(
  'a bound native function in a job',
  await later()
    .then(bound)
    .catch((error) => error.name),
  'SyntaxError',
)
async function* numbers() {
  yield 1
  await later()
  throw new Error('generator')
}
const iterates = async () => {
  for await (const n of numbers()) void n
}
fact('in an async generator', (await of(iterates))[0], 'numbers 0')
