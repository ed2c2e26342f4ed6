import { Ajv } from 'ajv'

export default () => {
  const check = new Ajv({ allErrors: true }).compile({
    type: 'object',
    properties: { name: { type: 'string', pattern: '^\\p{L}+$' }, age: { type: 'integer' } },
    required: ['name'],
  })
  return [
    check({ name: 'Zoë', age: 1 }),
    check({ name: '1', age: 'x' }),
    check.errors.map(({ message }) => message),
  ]
}
