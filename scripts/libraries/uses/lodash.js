import _ from 'lodash'

export default () => [
  _.groupBy([1, 2, 3, 4], (number) => (number % 2 ? 'odd' : 'even')),
  _.kebabCase('Hello Big World'),
  _.merge({ a: { b: 1 } }, { a: { c: 2 } }),
  _.template('Hi <%= name %>')({ name: 'Ann' }),
]
