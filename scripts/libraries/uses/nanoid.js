import { customAlphabet, nanoid } from 'nanoid'

export default () => [
  nanoid().length,
  /^[abc]{5}$/.test(customAlphabet('abc', 5)()),
  nanoid() === nanoid(),
]
