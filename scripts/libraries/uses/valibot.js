import * as v from 'valibot'

const Person = v.object({ name: v.pipe(v.string(), v.minLength(1)), age: v.number() })

export default () => [
  v.parse(Person, { name: 'Ann', age: 41 }),
  v.safeParse(Person, { name: '', age: 'x' }).issues.map(({ message }) => message),
]
