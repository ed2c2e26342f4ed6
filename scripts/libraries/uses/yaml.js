import { parse, stringify } from 'yaml'

export default () => [
  parse('a: 1\nb: [x, y]\nc: &anchor {d: true}\ne: *anchor\n'),
  stringify({ list: [1, 'two', null] }),
]
