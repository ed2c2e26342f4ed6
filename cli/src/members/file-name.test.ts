import { expect, it } from 'vitest'
import { fileName } from './file-name.ts'

const named = (name: string) =>
  fileName({ application: { name, version: undefined, description: undefined } })

it.each([
  ['kitchen', 'kitchen'],
  ['My Tools', 'my-tools'],
  ['../../etc/passwd', 'etc-passwd'],
  ['世界', 'application'],
  ['a'.repeat(80), 'a'.repeat(63)],
])('%j is the file %s', (name, file) => expect(named(name)).toBe(file))
