import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FidelityApplication, startFidelity } from './application.ts'

let app: FidelityApplication
beforeAll(async () => {
  app = await startFidelity()
})
afterAll(() => app.close())

test('[spin:kv-entries] an entry is absent, empty, replaced, listed and deleted, twice without a fault', async () => {
  const at = (query: string) => app.json(`/guest/kv?key=k%C3%A4se&${query}`)
  await at('delete')
  expect(await at('')).toEqual({ value: null, exists: false, listed: false })
  expect(await at('set=')).toEqual({ value: '', exists: true, listed: true })
  expect(await at('set=%F0%9F%A7%80')).toEqual({ value: '🧀', exists: true, listed: true })
  expect(await at('delete')).toEqual({ value: null, exists: false, listed: false })
  expect(await at('delete')).toEqual({ value: null, exists: false, listed: false })
})

test('[spin:kv-shared] components that may open a store share it', async () => {
  await app.json('/guest/kv?key=shared&set=yes')
  const to = encodeURIComponent('http://hidden.spin.internal/kv?key=shared')
  expect(await app.json(`/guest/fetch?to=${to}`)).toMatchObject({ value: 'yes' })
})

test('[spin:kv-denied] a label the manifest does not give is denied', async () => {
  const denied = { payload: { tag: 'access-denied' } }
  expect(await app.json('/guest/kv?label=cache')).toEqual(denied)
  expect(await app.json('/other/kv')).toEqual(denied)
})

test('[spin:kv-large] values of more than 1 MB are kept', async () => {
  expect(await app.json('/guest/kv-large?bytes=3000000')).toEqual({ bytes: 3_000_000, same: true })
})

test('[spin:kv-seed] --key-value fills the default store before the first request', async () => {
  expect(await app.json('/guest/kv?key=seeded')).toMatchObject({ value: 'yes' })
})

test('[spin:variables] a variable is a template of the application, or a text', async () => {
  expect(await app.text('/guest/variable?name=plain')).toBe('of the manifest')
  expect(await app.text('/guest/variable?name=both')).toBe('<of the manifest|given>')
  expect(await app.text('/guest/variable?name=literal')).toBe('text')
})

describe("[spin:variables-own] a component gets its own names only, and no application's", () => {
  test.each([
    ['required', 'undefined'],
    ['nothing', 'undefined'],
    ['Not-A-Name', 'invalid-name'],
  ])('%s: %s', async (name, tag) => {
    expect(await app.json(`/guest/variable?name=${name}`)).toMatchObject({ payload: { tag } })
  })
})

test('[spin:environment] a component has the environment of its manifest, and --env wins', async () => {
  expect(await app.json('/guest/environment')).toMatchObject({ NAME: 'guest', ADDED: 'by-flag' })
  expect(await app.json('/other/environment')).toMatchObject({ NAME: 'other', ADDED: 'by-flag' })
})

test('[spin:environment-none] nothing of the environment of the host reaches a component', async () => {
  expect(Object.keys(await app.json('/other/environment')).sort()).toEqual(['ADDED', 'NAME'])
})

test('[spin:files-globs] a pattern keeps the paths below the manifest', async () => {
  expect(await app.text('/guest/file?path=files/one.txt')).toBe('one\n')
  expect(await app.text('/guest/file?path=files/one.dat')).toBe('one dat\n')
  expect(await app.text('/guest/file?path=files/deep/deep.txt')).toBe('deep\n')
  expect(await app.json('/guest/folder?path=files')).toEqual(['deep', 'one.dat', 'one.txt'])
})

test('[spin:files-excluded] an excluded file is not there', async () => {
  expect(await app.json('/guest/file?path=files/deep/secret.txt')).toEqual({ payload: 'no-entry' })
  expect(await app.json('/guest/folder?path=files/deep')).toEqual(['deep.txt'])
})

test('[spin:files-mounted] a folder appears where it is mounted', async () => {
  expect(await app.text('/guest/file?path=deep/mount/file.txt')).toBe('mounted\n')
  expect(await app.json('/guest/folder')).toEqual(['deep', 'files'])
})

describe('[spin:files-outside] nothing else can be read', () => {
  test.each(['spin.toml', 'files/two.dat', 'mounted/file.txt'])('%s', async (path) => {
    expect(await app.json(`/guest/file?path=${path}`)).toEqual({ payload: 'no-entry' })
  })
  test.each(['../spin.toml', '/etc/hosts', 'files/../../spin.toml'])('%s', async (path) => {
    expect(await app.json(`/guest/file?path=${encodeURIComponent(path)}`)).toEqual({
      payload: 'not-permitted',
    })
  })
})
