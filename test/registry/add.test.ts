// ftl add shows what a component may reach, and gives it that and nothing else; ftl up serves no other file.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseManifest } from 'ftl-host'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type AddOptions,
  commitCandidate,
  fetchCandidate,
  removeAdded,
} from '../../cli/src/registry/candidate.ts'
import { checkAdded } from '../../cli/src/registry/added-lock.ts'
import { newKeyPair } from '../../cli/src/registry/publisher-signature.ts'
import { type HostileApplication, writeApplication } from '../hostile/support/application.ts'
import { gatewayOver, publisher as component } from '../hostile/support/publisher.ts'
import { built, guest, HANDLE } from '../hostile/support/wat.ts'
import { ftl } from '../support/command.ts'
import { type NpmServer, startNpm } from './npm-server.ts'
import { packed, publisher, signer } from './package.ts'

let registry: NpmServer
let application: HostileApplication
let weather: Uint8Array

const OPTIONS: AddOptions = {
  keys: [],
  requireSignature: false,
  file: { hosts: [], stores: [], variables: [] },
}

const offer = (description: string) => ({
  tools: [{ name: 'pay', description, inputSchema: { type: 'object' } }],
  content: [{ type: 'text', text: 'it ran' }],
})

beforeAll(async () => {
  registry = await startNpm()
  weather = await component(offer('Pays.'))
})
afterAll(() => registry?.close())

beforeEach(async () => {
  application = await writeApplication({ gateway: await gatewayOver(['none']) })
  await writeFile(join(application.folder, '.npmrc'), `registry=${registry.url}\n`)
})
afterEach(() => application.remove())

const candidate = (wanted: string, options: Partial<AddOptions> = {}) =>
  fetchCandidate(wanted, application.folder, { ...OPTIONS, ...options })
const add = async (wanted: string, options: Partial<AddOptions> = {}) =>
  commitCandidate(application.folder, await candidate(wanted, options))
const read = (name: string) => readFile(join(application.folder, name), 'utf8')
const manifest = async () => parseManifest(await read('spin.toml'), application.manifest)

const reach = { hosts: ['https://api.example.com'], stores: ['default'], variables: ['api_key'] }

describe('a package that is added', () => {
  it('gets exactly the rights it asks for, and is in the lock with all that was checked', async () => {
    registry.put('weather', '1.0.0', packed(weather, { reach }, { signWith: publisher.privateKey }))
    await add('npm:weather', { keys: [signer] })
    const added = (await manifest()).components.get('weather')
    expect(added).toMatchObject({
      allowedOutboundHosts: reach.hosts,
      keyValueStores: reach.stores,
      variables: { api_key: '{{ weather_api_key }}' },
      files: [],
      environment: {},
    })
    const lock = JSON.parse(await read('ftl.lock')) as { added: Record<string, object> }
    expect(lock.added['weather']).toMatchObject({ source: 'npm:weather@1.0.0', signer, reach })
    await checkAdded(await manifest())
  })

  it('is removed without a trace, and the manifest is as before', async () => {
    const before = await read('spin.toml')
    await add('npm:weather')
    await removeAdded(application.folder, 'weather')
    expect(await read('spin.toml')).toBe(before)
    await expect(read('ftl.lock')).rejects.toThrow('ENOENT')
    await expect(read('added/weather.wasm')).rejects.toThrow('ENOENT')
  })

  it('is not built or served when its file is another one, or its rights are wider', async () => {
    await add('npm:weather')
    await writeFile(
      join(application.folder, 'added/weather.wasm'),
      await component(offer('Steals.')),
    )
    await expect(checkAdded(await manifest())).rejects.toThrow('ftl add --update weather')
    const up = ftl(['up', '--listen', '127.0.0.1:0'], { cwd: application.folder })
    expect(await up.exited).toBe(1)
    expect(up.output()).toContain('is not the one that was added')
    await writeFile(join(application.folder, 'added/weather.wasm'), weather)
    const text = (await read('spin.toml')).replace(
      '"https://api.example.com"',
      '"https://api.example.com", "https://evil.example"',
    )
    await writeFile(application.manifest, text)
    await expect(checkAdded(await manifest())).rejects.toThrow('hosts https://evil.example')
  })

  it('is not replaced by a version of another publisher', async () => {
    await add('npm:weather', { keys: [signer] })
    const other = newKeyPair()
    registry.put(
      'weather',
      '1.1.0',
      packed(weather, { version: '1.1.0' }, { signWith: other.privateKey }),
    )
    await expect(candidate('npm:weather')).rejects.toThrow('another key')
    registry.put('weather', '1.2.0', packed(weather, { version: '1.2.0' }))
    await expect(candidate('npm:weather')).rejects.toThrow('is not signed')
  })
})

describe('an archive of ftl publish --npm', () => {
  it('is added as the package in it, with its rights and its signature', async () => {
    const archive = join(application.folder, 'acme-weather-1.0.0.tgz')
    const change = { name: '@acme/weather', reach }
    await writeFile(archive, packed(weather, change, { signWith: publisher.privateKey }))
    await add(archive, { keys: [signer] })
    expect((await manifest()).components.get('weather')).toMatchObject({
      allowedOutboundHosts: reach.hosts,
      keyValueStores: reach.stores,
    })
    const lock = JSON.parse(await read('ftl.lock')) as { added: Record<string, object> }
    expect(lock.added['weather']).toMatchObject({ source: archive, name: '@acme/weather', signer })
    await checkAdded(await manifest())
  })

  it('is refused without a signature that is required, and where it is not one', async () => {
    const archive = join(application.folder, 'weather.tgz')
    await writeFile(archive, packed(weather))
    await expect(add(archive, { keys: [signer], requireSignature: true })).rejects.toThrow('signed')
    await writeFile(archive, 'no archive')
    await expect(add(archive)).rejects.toThrow('not a gzip file')
    await expect(add(`${archive}.tgz`)).rejects.toThrow('there is no')
  })
})

describe('a package that is refused', () => {
  const refused = async (change: Parameters<typeof packed>[1], reason: string, wasm = weather) => {
    registry.put('bad', '1.0.0', packed(wasm, { name: 'bad', ...change }))
    const before = await read('spin.toml')
    await expect(add('npm:bad')).rejects.toThrow(reason)
    expect(await read('spin.toml')).toBe(before)
    await expect(read('ftl.lock')).rejects.toThrow('ENOENT')
  }

  it('has a component with another digest than it says', () =>
    refused({ digest: `sha256:${'0'.repeat(64)}` }, 'was changed after it was published'))

  it('has a component that uses the network and declares no hosts', async () =>
    refused(
      {},
      'declares no hosts',
      await guest(`(module
      (import "wasi:http/outgoing-handler@0.2.10" "handle" (func (param i32 i32 i32 i32)))
      (memory (export "memory") 1)
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0))
      (func (export "${HANDLE}") (param i32 i32)))`),
    ))

  it('has no component', () => refused({}, 'is not a WebAssembly file', Buffer.from('#!/bin/sh')))

  it.each([
    [{ reach: { files: ['/etc'] } }, 'wants files'],
    [{ reach: { everything: ['x'] } }, '"reach"'],
    [{ reach: { hosts: ['https://a.example"]\n[component.gateway]\nsource = "x'] } }, '"hosts"'],
    [{ reach: { variables: ['__proto__'] } }, '"variables"'],
    [{ tools: ['a\u001b[2J'] }, '"tools"'],
  ])('says something that cannot be: %j', (change, reason) => refused(change, reason))

  it('is signed, and was changed afterwards', async () => {
    const signature = packed(
      weather,
      { name: 'late', reach: {} },
      { signWith: publisher.privateKey },
    )
    const { readTarball } = await import('../../cli/src/registry/tarball.ts')
    const files = readTarball(signature)
    const more = { 'ftl-signature.json': files.get('ftl-signature.json') ?? Buffer.alloc(0) }
    registry.put('late', '1.0.0', packed(weather, { name: 'late', reach }, { more }))
    await expect(add('npm:late')).rejects.toThrow('changed after it was signed')
  })

  it('is not signed by a trusted key, where the project wants that', async () => {
    registry.put('unsigned', '1.0.0', packed(weather, { name: 'unsigned' }))
    await expect(add('npm:unsigned', { requireSignature: true })).rejects.toThrow('not signed')
    await writeFile(
      application.manifest,
      `${await read('spin.toml')}\n[application.tool.ftl]\nrequire_signature = true\nsigners = ["${signer}"]\n`,
    )
    await expect(add('npm:unsigned')).rejects.toThrow('only packages that are signed')
    const stranger = newKeyPair().privateKey
    registry.put('strange', '1.0.0', packed(weather, { name: 'strange' }, { signWith: stranger }))
    await expect(add('npm:strange')).rejects.toThrow('a key that you do not know')
    registry.put(
      'known',
      '1.0.0',
      packed(weather, { name: 'known' }, { signWith: publisher.privateKey }),
    )
    expect((await candidate('npm:known')).checks).toContainEqual(
      expect.stringContaining('key that you trust'),
    )
  })
})

describe('the command', () => {
  it('changes nothing without a terminal and without --yes, and adds and tests with it', async () => {
    const before = await read('spin.toml')
    const asked = ftl(['add', './weather.wasm', '--host', 'https://api.example.com'], {
      cwd: application.folder,
    })
    await writeFile(join(application.folder, 'weather.wasm'), weather)
    expect(await asked.exited).toBe(1)
    expect(asked.output()).toContain('--yes')
    expect(asked.output()).toContain('it may send requests to https://api.example.com')
    expect(await read('spin.toml')).toBe(before)
    await writeFile(join(application.folder, 'weather.wasm'), await built('echo'))
    const done = ftl(['add', './weather.wasm', '--yes'], { cwd: application.folder })
    expect(await done.exited).toBe(0)
    expect(done.output()).toContain('Added to spin.toml')
    expect(done.output()).toMatch(/\d+ passed, /)
    expect((await manifest()).components.get('weather')?.allowedOutboundHosts).toEqual([])
  })
})
