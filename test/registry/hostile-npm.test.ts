// An npm registry, or a package in it, that means harm: nothing is added, and no credential goes astray.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchNpm } from '../../cli/src/registry/fetch-npm.ts'
import { requestOf } from '../../cli/src/registry/registry-request.ts'
import { readTarball, writeTar } from '../../cli/src/registry/tarball.ts'
import { type NpmServer, startNpm } from './npm-server.ts'
import { packed } from './package.ts'

const WASM = Buffer.from('not checked here')
const TOKEN = 'zq8-npm-token-zq8'

let registry: NpmServer
let folder: string

beforeAll(async () => {
  registry = await startNpm(TOKEN)
  folder = await mkdtemp(join(tmpdir(), 'ftl-npm-'))
  const host = new URL(registry.url).host
  await writeFile(
    join(folder, '.npmrc'),
    `registry=${registry.url}/\n//${host}/:_authToken=\${TEST_TOKEN}\n`,
  )
  process.env['TEST_TOKEN'] = TOKEN
})
afterAll(async () => {
  delete process.env['TEST_TOKEN']
  await registry.close()
  await rm(folder, { recursive: true, force: true })
})

it('a package is fetched with the token of .npmrc, and its scripts stay unread', async () => {
  registry.put('plain', '1.2.0', packed(WASM, { name: 'plain', version: '1.2.0' }))
  registry.put('plain', '1.3.0', packed(WASM, { name: 'plain', version: '1.3.0' }))
  registry.put('plain', '2.0.0', packed(WASM, { name: 'plain', version: '2.0.0' }))
  const { source, checks, wasm } = await fetchNpm('plain@^1.2.0', folder)
  expect(source).toBe('npm:plain@1.3.0')
  expect(checks).toContain('the signature of the registry')
  expect(Buffer.from(wasm)).toEqual(WASM)
  expect(await readdir(folder)).toEqual(['.npmrc'])
})

it('another content than the integrity says is refused', async () => {
  registry.put('swapped', '1.0.0', packed(WASM), {
    integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
  })
  await expect(fetchNpm('swapped', folder)).rejects.toThrow('its sha512 differs')
})

it('a signature of the registry that does not fit is refused', async () => {
  registry.put('forged', '1.0.0', packed(WASM), {
    signatures: [{ keyid: 'SHA256:test', sig: 'AAAA' }],
  })
  await expect(fetchNpm('forged', folder)).rejects.toThrow('signature of the registry does not fit')
})

describe('an answer that leads elsewhere', () => {
  it('gets no token at another origin', async () => {
    const seen: (string | undefined)[] = []
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end(packed(WASM))
    })
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const at = `http://127.0.0.1:${(other.address() as AddressInfo).port}/x.tgz`
    try {
      registry.put('elsewhere', '1.0.0', packed(WASM), { tarball: at })
      await fetchNpm('elsewhere', folder)
      expect(seen).toEqual([undefined])
    } finally {
      other.close()
    }
  })

  it.each([
    'http://10.0.0.7/x',
    'http://169.254.169.254/latest',
    'https://192.168.1.1/x',
    'https://[::1]:1/x',
    'https://[fd00::1]/x',
    'https://[::ffff:10.0.0.1]/x',
  ])('is not followed to a private address: %s', async (location) => {
    registry.answer('/redirects', (_, response) => response.writeHead(302, { location }).end())
    await expect(fetchNpm('redirects', folder)).rejects.toThrow(/private address|must have https/)
  })

  it('is not followed to a name that resolves to a private address', async () => {
    registry.answer('/named', (_, response) =>
      response.writeHead(302, { location: 'https://localhost:1/x' }).end(),
    )
    await expect(fetchNpm('named', folder)).rejects.toThrow('private address')
  })

  it('is not followed for ever', async () => {
    registry.answer('/loops', (_, response) =>
      response.writeHead(302, { location: '/loops' }).end(),
    )
    await expect(fetchNpm('loops', folder)).rejects.toThrow('redirects too often')
  })
})

describe('an answer that does not end', () => {
  it('is cut off at its limit, with and without a length', async () => {
    registry.answer('/endless', (_, response) => {
      const write = () => {
        while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return
      }
      response.on('drain', write)
      write()
    })
    const options = { limit: 1_000_000, authorization: `Bearer ${TOKEN}` }
    await expect(requestOf(`${registry.url}/endless`, options)).rejects.toThrow(
      'longer than 1000000',
    )
    registry.answer('/announced', (_, response) => {
      response.writeHead(200, { 'content-length': '99999999999' }).write('x')
    })
    await expect(requestOf(`${registry.url}/announced`, options)).rejects.toThrow(
      'longer than 1000000',
    )
  })

  it('is left after a time when it says nothing', async () => {
    registry.answer('/silent', () => undefined)
    const options = { limit: 10, timeoutMs: 300 }
    await expect(requestOf(`${registry.url}/silent`, options)).rejects.toThrow('took too long')
  })
})

describe('an archive', () => {
  const tar = (name: string, change: (tar: Buffer) => void = () => undefined) => {
    const made = writeTar(new Map([[name, Buffer.from('x')]]))
    change(made)
    return made
  }
  /** Headers have a sum over their bytes. */
  const summed = (bytes: Buffer) => {
    bytes.write('        ', 148)
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0)
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return bytes
  }
  it.each([
    ['a path above', gzipSync(tar('../../../etc/passwd')), 'outside of its folder'],
    [
      'an absolute path',
      gzipSync(summed(tar('x', (made) => made.write('/etc/passwd\0', 0)))),
      'outside of its folder',
    ],
    ['a backslash', gzipSync(tar('..\\x')), 'outside of its folder'],
    ['a symbolic link', gzipSync(summed(tar('x', (made) => made.write('2', 156)))), 'not a file'],
    ['a hard link', gzipSync(summed(tar('x', (made) => made.write('1', 156)))), 'not a file'],
    ['a device', gzipSync(summed(tar('x', (made) => made.write('3', 156)))), 'not a file'],
    [
      'a size beyond its end',
      gzipSync(summed(tar('x', (made) => made.write('77777777777\0', 124)))),
      'middle of an entry',
    ],
    [
      'a negative size',
      gzipSync(summed(tar('x', (made) => made.write('-0000000001\0', 124)))),
      'unreadable size',
    ],
    ['a damaged header', gzipSync(tar('x', (made) => made.write('y', 0))), 'damaged header'],
    ['no gzip', tar('x'), 'not a gzip'],
    [
      'two files with one name',
      gzipSync(Buffer.concat([tar('x').subarray(0, 1024), tar('x')])),
      'two files',
    ],
  ])('with %s is refused', (_, archive, reason) => {
    expect(() => readTarball(archive)).toThrow(reason)
  })

  it('that unpacks to far more than it has is refused before it is in memory', () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(100_000)
    expect(() => readTarball(bomb, 1_000_000)).toThrow('larger than 1000000 bytes')
  })

  it('with too many entries is refused', () => {
    const many = new Map(Array.from({ length: 5_001 }, (_, n) => [`f${n}`, Buffer.alloc(0)]))
    expect(() => readTarball(gzipSync(writeTar(many)))).toThrow('more than 5000 entries')
  })

  it('of a package keeps what is in it', () => {
    const files = new Map([
      ['a/b.txt', Buffer.from('one')],
      ['c', Buffer.alloc(1025, 7)],
    ])
    expect(readTarball(gzipSync(writeTar(files)))).toEqual(files)
  })
})
