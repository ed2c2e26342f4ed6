import JSON5 from 'json5'

export default () => [
  JSON5.parse("{a: 1, /* why */ b: 'two', c: [.5, +1,],}"),
  JSON5.stringify({ a: 'x' }),
]
