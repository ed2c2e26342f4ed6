import validator from 'validator'

export default () => [
  validator.isEmail('ann@example.com'),
  validator.isIBAN('DE89370400440532013000'),
  validator.isURL('nope'),
  validator.escape('<a>'),
]
