import { strict } from './assert.ts'

export const { AssertionError, deepEqual, deepStrictEqual, equal, fail, match, notEqual, ok } =
  strict
export const { ifError, notDeepEqual, notStrictEqual, rejects, strictEqual, throws } = strict
export default strict
