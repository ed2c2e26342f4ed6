import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type SignIn, TokenStore } from './token-store.ts'

let folder: string
let path: string
let store: TokenStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-store-'))
  path = join(folder, 'a', 'tokens')
  store = new TokenStore(path)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const signIn = (server: string, accessToken = 'secret'): SignIn => ({
  version: 1,
  server,
  resource: server,
  issuer: 'https://as.example',
  grant: 'authorization_code',
  client: { id: 'ftl' },
  tokens: { accessToken },
  signedInAt: 0,
})
const A = signIn('https://a.example/mcp')
const url = new URL(A.server)

async function theFile(): Promise<string> {
  const [name = ''] = await readdir(path)
  return join(path, name)
}

describe('the store', () => {
  it('keeps sign-ins apart by server, readable by the user only', async () => {
    const b = signIn('https://b.example/mcp')
    await store.save(b)
    await store.save(A)
    await store.save(signIn(A.server, 'newer'))
    expect((await store.find(url))?.tokens.accessToken).toBe('newer')
    expect((await store.all()).map(({ server }) => server)).toEqual([A.server, b.server])
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(path)) {
      expect((await stat(join(path, name))).mode & 0o777, name).toBe(0o600)
    }
    await store.remove(url)
    expect(await store.find(url)).toBeUndefined()
    expect(await readdir(path)).toHaveLength(1)
  })

  it('does not exist before the first sign-in', async () => {
    expect(await store.find(url)).toBeUndefined()
    expect(await store.all()).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('treats a file that is damaged, or of another server, as missing', async () => {
    await store.save(A)
    const file = await theFile()
    const contents = ['', '{', '[]', '{"version":2}', JSON.stringify({ ...A, tokens: {} })]
    for (const text of [...contents, JSON.stringify(signIn('https://b.example/mcp'))]) {
      await writeFile(file, text)
      expect(await store.find(url), text).toBeUndefined()
    }
  })

  it('is in the folder of the variable, else of XDG_CONFIG_HOME, else in the home', () => {
    vi.stubEnv('FTL_TOKEN_STORE', '/t')
    vi.stubEnv('XDG_CONFIG_HOME', '/x')
    expect(new TokenStore().folder).toBe('/t')
    vi.stubEnv('FTL_TOKEN_STORE', '')
    expect(new TokenStore().folder).toBe('/x/ftl/tokens')
    vi.stubEnv('XDG_CONFIG_HOME', 'relative')
    vi.stubEnv('HOME', '/home/ada')
    expect(new TokenStore().folder).toBe('/home/ada/.config/ftl/tokens')
  })
})

describe('without a folder for tokens', () => {
  it('nothing is stored, and commands that need no token work', async () => {
    const none = new TokenStore('')
    expect([await none.find(url), await none.all()]).toEqual([undefined, []])
    await expect(none.save(A)).rejects.toThrow('FTL_TOKEN_STORE')
  })

  it('because its parent is a file, the message names it', async () => {
    await writeFile(join(folder, 'a'), '')
    expect(await store.find(url)).toBeUndefined()
    await expect(store.save(A)).rejects.toThrow(/cannot be created \(ENOTDIR\)/)
  })

  it('because it is a dangling link, the message says so', async () => {
    await mkdir(join(folder, 'a'))
    await symlink(join(folder, 'nowhere'), path)
    await expect(store.save(A)).rejects.toThrow('symbolic link')
  })
})

describe('a store that others could read or change is refused', () => {
  const uses = [() => store.find(url), () => store.all(), () => store.save(A)]

  it.each([0o755, 0o750, 0o701, 0o720])('a folder of mode %o', async (mode) => {
    await store.save(A)
    await chmod(path, mode)
    for (const use of uses) await expect(use()).rejects.toThrow('chmod 700')
  })

  it('a folder that is a symbolic link', async () => {
    await store.save(A)
    await rename(path, join(folder, 'moved'))
    await symlink(join(folder, 'moved'), path)
    for (const use of uses) await expect(use()).rejects.toThrow('symbolic link')
  })

  it('a file in place of the folder', async () => {
    await mkdir(join(folder, 'a'))
    await writeFile(path, '')
    await expect(store.find(url)).rejects.toThrow('is not a folder')
  })

  it.each([0o644, 0o640, 0o604, 0o622])('a file of mode %o', async (mode) => {
    await store.save(A)
    await chmod(await theFile(), mode)
    await expect(store.find(url)).rejects.toThrow('chmod 600')
  })

  it('a file that is a symbolic link, also to a file of the user', async () => {
    await store.save(A)
    const file = await theFile()
    await rename(file, join(folder, 'moved'))
    await symlink(join(folder, 'moved'), file)
    await expect(store.find(url)).rejects.toThrow('symbolic link')
  })

  it('a file that another user owns', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only root can give a file away')
    const { chown } = await import('node:fs/promises')
    await store.save(A)
    await chown(await theFile(), 1234, 1234)
    await expect(store.find(url)).rejects.toThrow('belongs to another user')
    await chown(path, 1234, 1234)
    await expect(store.save(A)).rejects.toThrow('belongs to another user')
  })

  it('a file that never ends', async () => {
    await store.save(A)
    await writeFile(await theFile(), 'x'.repeat(300_000))
    await expect(store.find(url)).rejects.toThrow('not a file of ftl')
  })

  it('a link that waits where a file is written: the link is replaced, its target is not', async () => {
    await store.save(A)
    const file = await theFile()
    const target = join(folder, 'target')
    await writeFile(target, 'untouched')
    await rm(file)
    await symlink(target, file)
    await store.save(A)
    expect((await store.find(url))?.server).toBe(A.server)
    expect((await stat(target)).size).toBe('untouched'.length)
  })
})

it('no message names a token', async () => {
  await store.save(A)
  await chmod(path, 0o755)
  const error = await store.find(url).catch((reason: Error) => reason)
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret')
})
