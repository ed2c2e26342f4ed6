import { chunk, get, startCase, uniqBy } from 'lodash-es'

export default () => [
  chunk([1, 2, 3, 4, 5], 2),
  get({ a: [{ b: 3 }] }, 'a[0].b'),
  startCase('hello big-world'),
  uniqBy([1.2, 1.7, 2.1], Math.floor),
]
