import { BigNumber } from 'bignumber.js'

export default () => [
  new BigNumber('0.1').plus('0.2').toString(),
  new BigNumber('1234567.891').toFormat(2),
]
