import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withMark } from '../wasm/source-mark.ts'
import { nativeProgram } from './choose-native.ts'

const CODE = 'var native = {}'
const SOURCE = createHash('sha256').update(CODE).digest('hex')
const COMPONENT = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0)

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'ftl-native-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

async function written(bytes: Uint8Array): Promise<string> {
  const file = join(folder, 'gateway.wasm')
  await writeFile(file, bytes)
  return file
}

test('a gateway of the same source is run by the host, with what it was built without', async () => {
  const file = await written(withMark(COMPONENT, { source: SOURCE, without: ['programs'] }))
  expect(await nativeProgram(file, ['', CODE])).toEqual({
    kind: 'native',
    code: CODE,
    without: ['programs'],
  })
})

test('one of another version runs in the sandbox, and that is told', async () => {
  const file = await written(withMark(COMPONENT, { source: SOURCE, without: [] }))
  const onOther = vi.fn<() => void>()
  expect(await nativeProgram(file, [`${CODE} `], onOther)).toBeUndefined()
  expect(onOther).toHaveBeenCalledOnce()
})

test.each([
  ['a custom gateway', COMPONENT],
  ['a file that is no component', Uint8Array.of(1, 2, 3)],
])('%s runs in the sandbox, without a word', async (_, bytes) => {
  const onOther = vi.fn<() => void>()
  expect(await nativeProgram(await written(bytes), [CODE], onOther)).toBeUndefined()
  expect(onOther).not.toHaveBeenCalled()
})

test('a host without a gateway of its own runs each in the sandbox', async () =>
  expect(
    await nativeProgram(await written(withMark(COMPONENT, { source: SOURCE, without: [] })), []),
  ).toBeUndefined())

test('a file that is not there is left to those who say so', async () =>
  expect(await nativeProgram(join(folder, 'missing.wasm'), [CODE])).toBeUndefined())
