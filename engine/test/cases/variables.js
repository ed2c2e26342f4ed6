// The engine keeps of a variable what a running function needs: where closures find it, and its name for errors.
const message = (run) => {
  try {
    run()
    return 'nothing'
  } catch (error) {
    return /\w*late\w*/.exec(error.message)?.[0] ?? error.message
  }
}
const useTooEarly = () => {
  const read = () => lateOne
  read()
  const lateOne = 1
  return lateOne
}
fact('an error names the variable that was used too early', message(useTooEarly), 'lateOne')
const closuresOf = () => {
  const reads = []
  for (let i = 0, j = 10; i < 3; i++, j--) reads.push(() => [i, j])
  return reads.map((read) => read())
}
fact('each turn of a loop has variables of its own', closuresOf(), [
  [0, 10],
  [1, 9],
  [2, 8],
])
const manyCaptured = (a, b, c, d, e) => {
  let f = a
  const [g, h] = [b, c]
  const write = () => (f += d)
  const read = () => [a, b, c, d, e, f, g, h]
  write()
  b = 'changed'
  return read()
}
fact('closures share arguments and variables', manyCaptured(1, 2, 3, 4, 5), [
  1,
  'changed',
  3,
  4,
  5,
  5,
  2,
  3,
])
function* generator(start) {
  let at = start
  const next = () => ++at
  for (;;) {
    const given = yield [at, next]
    if (given !== undefined) at = given
  }
}
const running = generator(5)
const [, advance] = running.next().value
fact('a generator shares its variables while it waits', advance(), 6)
fact('and sees what changed them', running.next().value[0], 6)
fact('and changes them itself', [running.next(20).value[0], advance()], [20, 21])
const waiting = async (first) => {
  let seen = first
  const add = (more) => (seen += more)
  await undefined
  add('b')
  try {
    const inner = 'c'
    await Promise.reject(new Error(inner))
  } catch ({ message: caught }) {
    add(caught)
  }
  return [seen, (() => seen)()]
}
fact('an async function, too', await waiting('a'), ['abc', 'abc'])
class Counted {
  static #made = 0
  #id = (() => ++Counted.#made)()
  get id() {
    return this.#id
  }
}
fact('private names', [new Counted().id, new Counted().id], [1, 2])
const shadowed = (value) => {
  const before = () => value
  {
    let value = 'inner'
    const inside = () => value
    value += '!'
    return [before(), inside()]
  }
}
fact('a block shadows an argument', shadowed('outer'), ['outer', 'inner!'])
const wide = new Function(
  `${Array.from({ length: 300 }, (_, i) => `let v${i} = ${i}`).join(';')}
  const read = () => [${Array.from({ length: 300 }, (_, i) => `v${i}`).join(',')}]
  v299 = -1
  return read()`,
)
fact(
  'more variables than a byte counts',
  attempt(() => wide().slice(297)),
  [297, 298, -1],
)
const scopes = (outer) => {
  const local = 'local'
  {
    const block = 'block'
    return eval('[outer, local, block]')
  }
}
fact(
  'direct eval sees the scopes around it',
  attempt(() => scopes('outer')),
  ['outer', 'local', 'block'],
)
const assigned = (argument) => {
  let local = 1
  eval('argument = 2; local = 3')
  return [argument, local, eval('(() => local + 1)()')]
}
fact(
  'direct eval changes them',
  attempt(() => assigned(0)),
  [2, 3, 4],
)
// These are in the engine as compiled code, in the form in which its compiler writes it.
fact('Array.fromAsync', await Array.fromAsync([1, Promise.resolve(2)], (item) => item * 2), [2, 4])
fact(
  'Iterator.zip',
  attempt(() => [...Iterator.zip([[1, 2], 'ab'.split('')])]),
  [
    [1, 'a'],
    [2, 'b'],
  ],
  { node: 'TypeError' },
)
