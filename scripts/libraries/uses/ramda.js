import * as R from 'ramda'

export default () => R.pipe(R.filter(R.gt(R.__, 1)), R.map(R.multiply(2)), R.sum)([1, 2, 3])
