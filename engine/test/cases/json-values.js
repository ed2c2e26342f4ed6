// Members and elements in JSON: the engine reads and writes the usual ones in steps of its own.
const twice = (json) => JSON.stringify(JSON.parse(json))
const entries = (json) => Object.entries(JSON.parse(json))

// Names
const known = { known: 1, has: 'a name that the texts below have' }
fact('a known name, and one that nothing has', entries('{"known":1,"unheard0f":2}'), [
  ['known', known.known],
  ['unheard0f', 2],
])
fact(
  'the last of the same name counts, at the place of the first',
  entries('{"a":1,"known":2,"a":3}'),
  [
    ['a', 3],
    ['known', 2],
  ],
)
fact(
  'names that are indices come first',
  twice('{"b":1,"10":2,"9":3,"-1":4,"1.5":5,"01":6,"4294967295":7}'),
  '{"9":3,"10":2,"b":1,"-1":4,"1.5":5,"01":6,"4294967295":7}',
)
const proto = JSON.parse('{"__proto__":{"x":1},"constructor":2,"":3}')
fact(
  'names of Object.prototype are own members',
  [Object.keys(proto), Object.getPrototypeOf(proto) === Object.prototype, proto.x],
  [['__proto__', 'constructor', ''], true, undefined],
)
fact(
  'names with escapes are the same names',
  entries('{"kn\\u006fwn":1,"known":2,"\\"":3,"\\u0031":4}'),
  [
    ['1', 4],
    ['known', 2],
    ['"', 3],
  ],
)
fact('names of wide characters', entries('{"é":1,"€":2,"\u{1f600}":3,"aé":4}'), [
  ['é', 1],
  ['€', 2],
  ['\u{1f600}', 3],
  ['aé', 4],
])
const member = Object.getOwnPropertyDescriptor(JSON.parse('{"known":1}'), 'known')
fact('a member can be changed', member, {
  value: 1,
  writable: true,
  enumerable: true,
  configurable: true,
})
const element = Object.getOwnPropertyDescriptor(JSON.parse('[1]'), 0)
fact('an element can be changed', element, {
  value: 1,
  writable: true,
  enumerable: true,
  configurable: true,
})
const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [`n${(at * 7919) % 300}`, at]),
)
fact('many members', twice(JSON.stringify(many)) === JSON.stringify(many), true)
Object.defineProperty(Object.prototype, 'setHere', {
  set() {
    throw new Error('called')
  },
  configurable: true,
})
Array.prototype[1] = 'inherited'
fact(
  'nothing inherited is called',
  [entries('{"setHere":1}'), JSON.parse('[1,2]').length, twice('[0,5]')],
  [[['setHere', 1]], 2, '[0,5]'],
)
delete Array.prototype[1]
delete Object.prototype.setHere

// Spaces
fact(
  'spaces at every place',
  twice(' { "known" : [ 1 , { } , [ ] , "x" ] ,\n\t"b"\r: null } '),
  '{"known":[1,{},[],"x"],"b":null}',
)

// Numbers
const numbers = [
  '0',
  '-0',
  '7',
  '10',
  '999999999',
  '1000000000',
  '2147483647',
  '2147483648',
  '-2147483648',
  '-5',
  '9007199254740993',
  '1.0',
  '1e0',
  '5E3',
  '0.1',
  '1e400',
  '12345678901234567890',
  '123456789e-9',
  '0e1',
]
for (const text of numbers) {
  fact(
    `the number ${text}`,
    [JSON.parse(text), JSON.parse(`[${text}]`)[0], JSON.parse(`{"known":${text}}`).known],
    Array(3).fill(Number(text)),
  )
}
const sum = JSON.parse('[2147483647,1]')
fact(
  'sums and shifts of what was read',
  [sum[0] + sum[1], JSON.parse('1') << 31, JSON.parse('999999999') * 999],
  [2147483648, -2147483648, 998999999001],
)

// Refused
for (const text of [
  '',
  '{',
  '{"',
  '{"a',
  '{"known"',
  '{"known":',
  '{"known":1',
  '{"known":1,',
  '{"known":1,}',
  '{"known"1}',
  '{"known",1}',
  '{known:1}',
  "{'known':1}",
  '{1:1}',
  '{,}',
  '{"known":1 "b":2}',
  '{"known":}',
  '{"known"::1}',
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[1 2]',
  '01',
  '-',
  '-01',
  '00',
  '1.',
  '.5',
  '1e',
  '1e+',
  '+1',
  '0x1',
  '1a',
  '123456789a',
  '1_0',
  'True',
  'nul',
  'nulll',
  'true1',
  'NaN',
  '1 2',
  '{}{}',
  '{}]',
  '[1}',
  '{"known":1]',
  '{"kno\nwn":1}',
  '{"known\\x":1}',
  '\ufeff1',
  '{"known":1}\0',
  '1\0',
  '//',
  '{"known":/**/1}',
]) {
  fact(
    `refused: ${JSON.stringify(text)}`,
    thrown(() => JSON.parse(text)),
    'SyntaxError',
  )
}

// A reviver
const seen = []
const revived = JSON.parse('{"known":[1,{"b":2}],"9":3,"c":4}', function (key, value) {
  seen.push([typeof key, key, Array.isArray(this)])
  return key === 'c' ? undefined : value
})
fact(
  'a reviver',
  [seen, JSON.stringify(revived)],
  [
    [
      ['string', '9', false],
      ['string', '0', true],
      ['string', 'b', false],
      ['string', '1', true],
      ['string', 'known', false],
      ['string', 'c', false],
      ['string', '', false],
    ],
    '{"9":3,"known":[1,{"b":2}]}',
  ],
)

// Writing
fact(
  'what JSON has no value for',
  JSON.stringify({
    a: undefined,
    b() {},
    c: Symbol('c'),
    d: NaN,
    e: -0,
    f: -Infinity,
    [Symbol('g')]: 1,
  }),
  '{"d":null,"e":0,"f":null}',
)
fact(
  'in a list',
  JSON.stringify([undefined, () => {}, Symbol('c'), NaN, , 1]),
  '[null,null,null,null,null,1]',
)
fact(
  'at the top',
  [undefined, () => {}, Symbol('c'), null, true, 'x', 1.5].map((value) => JSON.stringify(value)),
  [undefined, undefined, undefined, 'null', 'true', '"x"', '1.5'],
)
fact(
  'objects of primitives',
  JSON.stringify([new String('a"'), new Number(3), new Boolean(false), Object(Symbol('x'))]),
  '["a\\"",3,false,{}]',
)
fact(
  'others',
  JSON.stringify([
    new Map([[1, 2]]),
    new Uint8Array(2),
    /x/,
    new Date(0),
    [[]],
    [{}],
    Object.create({ a: 1 }),
  ]),
  '[{},{"0":0,"1":0},{},"1970-01-01T00:00:00.000Z",[[]],[{}],{}]',
)
fact(
  'a rope',
  JSON.stringify({ a: ['x'.repeat(20_000) + seen.length + 'é"'] }),
  `{"a":["${'x'.repeat(20_000)}7é\\""]}`,
)
fact(
  'an object with every order of names',
  JSON.stringify({ b: 1, 2: 2, 1: 3, [-1]: 4 }),
  '{"1":3,"2":2,"b":1,"-1":4}',
)
fact(
  'only enumerable members',
  JSON.stringify(Object.defineProperty({ a: 1 }, 'b', { value: 2 })),
  '{"a":1}',
)
fact(
  'more members than a list of names holds at first',
  JSON.stringify(many).length,
  2 + 299 + 300 * 4 + 2 * (10 + 90 * 2 + 200 * 3),
)

// Getters run in order, and what they do to others counts.
const order = []
const changing = {
  get a() {
    order.push('a')
    delete this.b
    this.c = 5
    this.later = 6
    return 1
  },
  b: 2,
  c: 3,
}
fact(
  'a getter that changes the others',
  [JSON.stringify(changing), order],
  ['{"a":1,"c":5}', ['a']],
)
const list = [0, 1, 2, 3]
Object.defineProperty(list, 1, {
  get() {
    list.length = 2
    return 'cut'
  },
})
fact('a getter that cuts the list', JSON.stringify(list), '[0,"cut",null,null]')

// toJSON
const keys = []
const tell = (name) => ({
  toJSON(key) {
    keys.push(typeof key, key)
    return name
  },
})
fact(
  'toJSON gets the key as a text',
  [JSON.stringify({ a: tell('x'), b: [tell('y')], 7: tell(8) }), keys],
  ['{"7":8,"a":"x","b":["y"]}', ['string', '7', 'string', 'a', 'string', '0']],
)
keys.length = 0
fact('toJSON at the top', [JSON.stringify(tell(undefined)), keys], [undefined, ['string', '']])
fact(
  'toJSON that throws',
  thrown(() =>
    JSON.stringify([
      {
        a: {
          toJSON() {
            throw new RangeError('no')
          },
        },
      },
    ]),
  ),
  'RangeError',
)
fact(
  'toJSON of a number',
  (() => {
    Number.prototype.toJSON = () => 'called'
    BigInt.prototype.toJSON = function () {
      return `${this}n`
    }
    try {
      return JSON.stringify([1, 1n, { a: 2n }])
    } finally {
      delete Number.prototype.toJSON
      delete BigInt.prototype.toJSON
    }
  })(),
  '[1,"1n",{"a":"2n"}]',
)
fact(
  'a BigInt',
  [thrown(() => JSON.stringify(1n)), thrown(() => JSON.stringify({ a: [1n] }))],
  ['TypeError', 'TypeError'],
)

// Circles
const circle = { a: [{}] }
circle.a[0].b = circle
const inList = []
inList.push([inList])
fact(
  'circles',
  [thrown(() => JSON.stringify(circle)), thrown(() => JSON.stringify(inList))],
  ['TypeError', 'TypeError'],
)
const shared = { x: 1 }
fact(
  'the same object twice is no circle',
  JSON.stringify([shared, { shared }, [shared, shared]]),
  '[{"x":1},{"shared":{"x":1}},[{"x":1},{"x":1}]]',
)
let after
try {
  JSON.stringify(circle)
} catch {
  after = JSON.stringify({ a: circle.a.length })
}
fact('after a circle', after, '{"a":1}')
let made
fact(
  'a circle that toJSON makes',
  thrown(() => JSON.stringify((made = { toJSON: () => ({ made }) }))),
  thrown(() => {
    ;(function f() {
      f()
    })()
  }),
)

// A replacer
const calls = []
fact(
  'a replacer',
  [
    JSON.stringify({ a: [1, { b: 2 }], c: 'x' }, function (key, value) {
      calls.push([typeof key, key, this === undefined])
      return typeof value === 'number' ? value + 1 : key === 'c' ? undefined : value
    }),
    calls,
  ],
  [
    '{"a":[2,{"b":3}]}',
    [
      ['string', '', false],
      ['string', 'a', false],
      ['string', '0', false],
      ['string', '1', false],
      ['string', 'b', false],
      ['string', 'c', false],
    ],
  ],
)
let holder
JSON.stringify('x', function () {
  holder = JSON.stringify(this)
  return 1
})
fact('the holder at the top', holder, '{"":"x"}')
fact(
  'names to write',
  JSON.stringify({ a: 1, b: { a: 2, c: 3 }, 5: 4, c: 5 }, [
    'c',
    'b',
    'c',
    5,
    'none',
    Object('a'),
    {},
  ]),
  '{"c":5,"b":{"c":3,"a":2},"5":4,"a":1}',
)
fact(
  'toJSON and then the replacer',
  JSON.stringify({ a: tell('x') }, (_key, value) => (value === 'x' ? 'y' : value)),
  '{"a":"y"}',
)

// Spaces
const nested = { a: [1, { b: [] }], c: {} }
fact(
  'two spaces',
  JSON.stringify(nested, null, 2),
  '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}',
)
fact(
  'a text as space',
  JSON.stringify(nested, null, '€-'),
  '{\n€-"a": [\n€-€-1,\n€-€-{\n€-€-€-"b": []\n€-€-}\n€-],\n€-"c": {}\n}',
)
fact('spaces where nothing is written', JSON.stringify({ a: undefined }, null, 1), '{}')

// Proxies
const traps = []
const proxy = new Proxy(
  { b: 1, a: [2] },
  {
    ownKeys(target) {
      traps.push('ownKeys')
      return Reflect.ownKeys(target).reverse()
    },
    getOwnPropertyDescriptor(target, key) {
      traps.push(`own ${String(key)}`)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
    get(target, key) {
      traps.push(`get ${String(key)}`)
      return target[key]
    },
  },
)
fact(
  'a proxy',
  [JSON.stringify({ proxy }), traps],
  ['{"proxy":{"a":[2],"b":1}}', ['get toJSON', 'ownKeys', 'own a', 'own b', 'get a', 'get b']],
)
fact('a proxy of a list', JSON.stringify([new Proxy([1, , 3], {})]), '[[1,null,3]]')
fact(
  'a proxy whose names cannot be had',
  thrown(() =>
    JSON.stringify([
      new Proxy(
        {},
        {
          ownKeys() {
            throw new EvalError('no')
          },
        },
      ),
    ]),
  ),
  'EvalError',
)
const { proxy: gone, revoke } = Proxy.revocable({}, {})
revoke()
fact(
  'a proxy that was revoked',
  thrown(() => JSON.stringify({ gone })),
  'TypeError',
)

// Deep
const deep = (levels) => '['.repeat(levels) + ']'.repeat(levels)
fact('deep lists', twice(deep(500)) === deep(500), true)
const deepest = '{"known":'.repeat(500) + '1' + '}'.repeat(500)
fact('deep objects', twice(deepest) === deepest, true)

// Deeper than the stack, and larger than the heap, is an error that can be caught, and what follows works.
const usable = (run) => {
  thrown(run)
  return twice('{"known":[1,{"b":"x"}]}')
}
let chain = []
for (let level = 0; level < 100_000; level++) chain = level % 2 ? [chain] : { known: chain }
const after100k = '{"known":[1,{"b":"x"}]}'
fact(
  'after 100,000 levels were read',
  usable(() => JSON.parse(deep(100_000))),
  after100k,
)
fact(
  'after 100,000 levels were written',
  usable(() => JSON.stringify(chain)),
  after100k,
)
const long = 'x'.repeat(1 << 20)
fact(
  'after a text that is too large was written',
  usable(() => JSON.stringify(Array(600).fill({ [long]: 1 }))),
  after100k,
)
