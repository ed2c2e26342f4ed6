// An OCI registry that changes what it serves, or asks for credentials that are not its own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { OCI_ANNOTATION } from '../../cli/src/registry/component-package.ts'
import { fetchOci, WASM_LAYER } from '../../cli/src/registry/fetch-oci.ts'
import { SIGNATURE_TYPE } from '../../cli/src/registry/oci-attached.ts'
import { signersOf, signPackage } from '../../cli/src/registry/publisher-signature.ts'
import { digestOf, type OciServer, startOci } from './oci-server.ts'
import { described, publisher, signer } from './package.ts'

const WASM = Buffer.from('a component')
const LOGIN = Buffer.from('ada:zq8-docker-password-zq8').toString('base64')
const LAYER = { mediaType: WASM_LAYER, bytes: WASM }

let folder: string
const servers: OciServer[] = []

async function start(login?: string, realm?: string): Promise<OciServer> {
  const server = await startOci(login, realm)
  servers.push(server)
  const auths = { [server.host]: { auth: LOGIN } }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ auths }))
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-oci-'))
  process.env['DOCKER_CONFIG'] = folder
})
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))
afterAll(async () => {
  delete process.env['DOCKER_CONFIG']
  await rm(folder, { recursive: true, force: true })
})

it('an artifact is fetched with the login, pinned to its digest, with its signature', async () => {
  const server = await start(LOGIN)
  const about = described(WASM)
  const annotations = { [OCI_ANNOTATION]: JSON.stringify(about) }
  const digest = server.put('1', [LAYER], { annotations })
  const signature = Buffer.from(JSON.stringify(signPackage(about, publisher.privateKey)))
  server.put('sig', [{ mediaType: SIGNATURE_TYPE, bytes: signature }], {
    subject: { digest },
    artifactType: SIGNATURE_TYPE,
  })
  const fetched = await fetchOci(`${server.host}/acme/weather:1`)
  expect(fetched.source).toBe(`oci://${server.host}/acme/weather@${digest}`)
  expect(fetched.about).toEqual(about)
  expect(signersOf(about, fetched.signatures)).toEqual({ signers: [signer], unfit: 0 })
  const sent = server.seen.filter(({ path }) => path !== '/token').map((each) => each.authorization)
  expect(sent).not.toContain(`Basic ${LOGIN}`)
})

it('a password is not sent to the token service of another host', async () => {
  const thief = await startOci()
  servers.push(thief)
  const server = await start(LOGIN, `http://${thief.host}/token`)
  server.put('1', [LAYER])
  await expect(fetchOci(`${server.host}/acme/weather:1`)).rejects.toThrow('another operator')
  expect(thief.seen).toEqual([])
})

it('a layer with another content than its digest is refused', async () => {
  const server = await start()
  server.put('1', [LAYER])
  server.blobs.set(digestOf(WASM), Buffer.from('b component'))
  await expect(fetchOci(`${server.host}/acme/weather:1`)).rejects.toThrow('another digest')
})

it('a manifest with another content than its digest is refused', async () => {
  const server = await start()
  const digest = server.put('1', [LAYER])
  const other = server.put('2', [{ ...LAYER, bytes: Buffer.from('evil') }])
  server.blobs.set(digest, server.blobs.get(other) ?? Buffer.alloc(0))
  await expect(fetchOci(`${server.host}/acme/weather@${digest}`)).rejects.toThrow('another digest')
})

it('a tag that points to another artifact later gives another source', async () => {
  const server = await start()
  server.put('1', [LAYER])
  const first = await fetchOci(`${server.host}/acme/weather:1`)
  server.put('1', [{ ...LAYER, bytes: Buffer.from('another') }])
  const second = await fetchOci(`${server.host}/acme/weather:1`)
  expect(second.source).not.toBe(first.source)
  expect((await fetchOci(first.source.slice('oci://'.length))).wasm).toEqual(WASM)
})

it('a layer longer than its manifest says is cut off', async () => {
  const server = await start()
  server.put('1', [LAYER])
  server.answer(`/v2/acme/weather/blobs/${digestOf(WASM)}`, (_, response) => {
    const write = () => {
      while (response.write(Buffer.alloc(65_536))) if (response.destroyed) return
    }
    response.on('drain', write)
    write()
  })
  await expect(fetchOci(`${server.host}/acme/weather:1`)).rejects.toThrow('longer than')
})

it('a blob behind a redirect to a private address is refused', async () => {
  const server = await start()
  server.put('1', [LAYER])
  server.answer(`/v2/acme/weather/blobs/${digestOf(WASM)}`, (_, response) =>
    response.writeHead(307, { location: 'https://10.1.2.3/blob' }).end(),
  )
  await expect(fetchOci(`${server.host}/acme/weather:1`)).rejects.toThrow('private address')
})

it('an artifact with no component, or with two, is refused', async () => {
  const server = await start()
  server.put('none', [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', bytes: WASM }])
  server.put('two', [LAYER, { ...LAYER, bytes: Buffer.from('2') }])
  await expect(fetchOci(`${server.host}/acme/weather:none`)).rejects.toThrow('exactly one layer')
  await expect(fetchOci(`${server.host}/acme/weather:two`)).rejects.toThrow('exactly one layer')
})

it.each([
  [
    'an index',
    { manifests: [{ digest: `sha256:${'a'.repeat(64)}` }] },
    /index of 1 artifacts.*a{64}/,
  ],
  [
    'a Spin application',
    { config: { mediaType: 'application/vnd.fermyon.spin.application.v1+config' } },
    'a Spin application, which spin up --from starts',
  ],
  [
    'a container image',
    { config: { mediaType: 'application/vnd.oci.image.config.v1+json' } },
    'a container image, and not a component',
  ],
])('a tag of %s is refused by the name of its kind', async (_, more, reason) => {
  const server = await start()
  server.put('1', [], more)
  await expect(fetchOci(`${server.host}/acme/weather:1`)).rejects.toThrow(reason)
})

it('a config whose kind is not a text is no internal error', async () => {
  const server = await start()
  server.put('1', [], { config: { mediaType: { toString: 1, valueOf: 1 } } })
  await expect(fetchOci(`${server.host}/acme/weather:1`)).rejects.toThrow('exactly one layer')
})
