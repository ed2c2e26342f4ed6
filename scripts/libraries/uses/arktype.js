import { type } from 'arktype'

const person = type({ name: 'string > 0', age: 'number.integer' })

export default () => [person({ name: 'Ann', age: 41 }), String(person({ name: '', age: 1.5 }))]
