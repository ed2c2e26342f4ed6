import { expect, it } from 'vitest'
import * as tools from './fixtures/node-globals.ts'
import { testTool, textOf, ToolFailed } from './index.ts'

it.each([
  ['process', tools.environment],
  ['Buffer', tools.buffer],
])('without %s it fails as in a component, and the error says so', async (missing, tool) => {
  const call = testTool(tool).call()
  await expect(call).rejects.toBeInstanceOf(ToolFailed)
  await expect(call).rejects.toThrow(`The code read ${missing}, which a component does not have`)
})

it('Intl is that of a component, which knows English only', async () => {
  expect(textOf(await testTool(tools.format).call())).toBe('1.5')
  expect(textOf(await testTool(tools.locale).call())).toBe('1,234.5; January 1, 1970; aÄz; UTC')
  expect((1234.5).toLocaleString('de')).toBe('1.234,5')
})

it('Intl is that of Node where the test says so', async () => {
  expect(textOf(await testTool(tools.format, { globals: ['Intl'] }).call())).toBe('1,5')
})

it('a page is missing anyway', async () => {
  await expect(testTool(tools.page).call()).rejects.toThrow(/document is not defined/)
})

it('what a library detects is what it finds in a component', async () => {
  const found = 'undefined,undefined,object,function,function'
  expect(textOf(await testTool(tools.detects).call())).toBe(found)
})

it('is so after the handler has waited', async () => {
  expect(textOf(await testTool(tools.waits).call())).toBe('undefined')
})

it('a global that the build gives is there', async () => {
  expect(textOf(await testTool(tools.buffer, { globals: ['Buffer'] }).call())).toBe('61')
})

it('the test keeps its globals, during a call and after it', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Buffer')
  const during: unknown[] = []
  const fetch = async () => {
    during.push(
      typeof process.env,
      Buffer.from('a').toString('hex'),
      new Intl.NumberFormat('de').format(1.5),
      (1.5).toLocaleString('de'),
    )
    return new Response('ok')
  }
  expect(textOf(await testTool(tools.asks, { fetch }).call())).toBe('ok')
  expect(during).toEqual(['object', '61', '1,5', '1,5'])
  expect(Object.getOwnPropertyDescriptor(globalThis, 'Buffer')).toEqual(before)
})

it('calls that overlap restore the globals once, at the end of the last', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'process')
  await Promise.all([1, 2, 3].map(() => testTool(tools.waits).call()))
  expect(Object.getOwnPropertyDescriptor(globalThis, 'process')).toEqual(before)
})
