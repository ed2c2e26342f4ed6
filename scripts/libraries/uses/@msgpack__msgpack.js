import { decode, encode } from '@msgpack/msgpack'

export default () => {
  const bytes = encode({ list: [1, 'two', null], nested: { ok: true } })
  return [[...bytes], decode(bytes)]
}
