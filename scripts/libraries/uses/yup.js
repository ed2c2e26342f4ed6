import * as yup from 'yup'

export default async () => {
  const person = yup.object({ name: yup.string().required(), age: yup.number().integer() })
  return [
    await person.validate({ name: 'Ann', age: '41' }),
    await person.validate({ age: 1.5 }, { abortEarly: false }).catch(({ errors }) => errors),
  ]
}
