import Joi from 'joi'

export default () => {
  const person = Joi.object({ name: Joi.string().required(), age: Joi.number().integer() })
  return [
    person.validate({ name: 'Ann', age: '41' }).value,
    person.validate({ age: 1.5 }, { abortEarly: false }).error.message,
  ]
}
