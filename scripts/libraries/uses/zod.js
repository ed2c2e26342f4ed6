import * as z from 'zod'

const Person = z.object({
  name: z.string().min(1),
  age: z.coerce.number().int(),
  mail: z.email().optional(),
})

export default () => [
  Person.parse({ name: 'Ann', age: '41' }),
  Person.safeParse({ name: '', age: 1, mail: 'no' }).error.issues.map(({ message }) => message),
]
