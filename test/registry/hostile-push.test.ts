// A registry that wants more than the component when it is published, and what each refusal says.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, signatureArtifact } from '../../cli/src/publish/oci-artifact.ts'
import { OciPush } from '../../cli/src/publish/oci-push.ts'
import { listReferrer } from '../../cli/src/publish/oci-referrers.ts'
import { fetchOci, WASM_LAYER } from '../../cli/src/registry/fetch-oci.ts'
import { SIGNATURE_TYPE } from '../../cli/src/registry/oci-attached.ts'
import { OciClient, parseReference } from '../../cli/src/registry/oci-client.ts'
import { newKeyPair, signersOf, signPackage } from '../../cli/src/registry/publisher-signature.ts'
import { CommandFailure } from '../../cli/src/terminal/failure.ts'
import { digestOf, type OciServer, type OciServerOptions, startOci } from './oci-server.ts'
import { described, publisher } from './package.ts'

const WASM = Buffer.from('a component')
const PASSWORD = 'zq8-push-password-zq8'
const LOGIN = Buffer.from(`ftl:${PASSWORD}`).toString('base64')

let folder: string
const servers: OciServer[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-push-'))
  await writeFile(join(folder, 'config.json'), '{}')
  process.env['DOCKER_CONFIG'] = folder
  process.env['FTL_REGISTRY_TOKEN'] = PASSWORD
})
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())))
afterAll(async () => {
  delete process.env['DOCKER_CONFIG']
  delete process.env['FTL_REGISTRY_TOKEN']
  await rm(folder, { recursive: true, force: true })
})

async function start(login?: string, realm?: string, options?: OciServerOptions) {
  const server = await startOci(login, realm, options)
  servers.push(server)
  return server
}

function artifactOf(wasm: Buffer): Artifact {
  const config = { mediaType: 'application/vnd.oci.empty.v1+json', bytes: Buffer.from('{}') }
  const blobs = [config, { mediaType: WASM_LAYER, bytes: wasm }].map((each) => ({
    ...each,
    digest: digestOf(each.bytes),
  }))
  const [first, ...layers] = blobs.map(({ mediaType, digest, bytes }) => ({
    ...{ mediaType, digest, size: bytes.length },
  }))
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, config: first, layers }))
  return { blobs, manifest, digest: digestOf(manifest) }
}

const pushTo = (server: OciServer, name = 'acme/weather:1') =>
  new OciPush(parseReference(`${server.host}/${name}`)).push(artifactOf(WASM))

describe('a refusal of the registry', () => {
  it.each([
    [403, 'DENIED', 'may not push to acme/weather'],
    [404, 'NAME_UNKNOWN', 'there is no acme/weather to push to'],
    [400, 'NAME_INVALID', 'does not accept acme/weather'],
    [413, 'SIZE_INVALID', 'too large'],
    [429, 'TOOMANYREQUESTS', 'Try again later'],
    [503, 'UNAVAILABLE', 'Try again later'],
  ])('%s says what to do, without the password that it repeats', async (status, code, remedy) => {
    const server = await start()
    server.answer('/v2/acme/weather/blobs/uploads/', (_, response) =>
      response
        .writeHead(status)
        .end(JSON.stringify({ errors: [{ code, message: `${PASSWORD} ${LOGIN} \u001b[2J` }] })),
    )
    const failed = pushTo(server)
    await expect(failed).rejects.toThrow(remedy)
    const { message } = (await failed.catch((error: unknown) => error)) as Error
    expect(message).toContain(`${server.host} answered ${status} (${code}`)
    expect(message).not.toMatch(new RegExp(`${PASSWORD}|${LOGIN}|\u001b`))
  })

  it('of a login without the right to push names where the login is from', async () => {
    const server = await start(LOGIN, undefined, { granted: 'pull' })
    await expect(pushTo(server)).rejects.toThrow('login of FTL_REGISTRY_TOKEN may not push')
  })

  it('of a wrong password says so', async () => {
    const server = await start(Buffer.from('ftl:another').toString('base64'))
    await expect(pushTo(server)).rejects.toThrow('the login is wrong')
  })

  it('that is none, because nothing listens, names the address', async () => {
    const server = await start()
    await server.close()
    await expect(pushTo(server)).rejects.toThrow(`http://${server.host}`)
  })
})

describe('an address that the registry gives for the upload', () => {
  it.each(['http://127.0.0.1:1/steal', 'https://10.0.0.7/steal', 'https://localhost:1/steal'])(
    'is refused when it leads to this network: %s',
    async (location) => {
      const server = await start()
      server.answer('/v2/acme/weather/blobs/uploads/', (_, response) =>
        response.writeHead(202, { location }).end(),
      )
      await expect(pushTo(server)).rejects.toThrow('private address')
    },
  )

  it('gets no credentials and nothing at all at another port of this machine', async () => {
    const thief = await start()
    const server = await start(LOGIN)
    server.answer('/v2/acme/weather/blobs/uploads/', (_, response) =>
      response.writeHead(202, { location: `http://${thief.host}/steal` }).end(),
    )
    await expect(pushTo(server)).rejects.toThrow('private address')
    expect(thief.seen).toEqual([])
  })
})

it('a token service in this network is asked nothing, without a login too', async () => {
  delete process.env['FTL_REGISTRY_TOKEN']
  try {
    const inside = await start()
    const server = await start(LOGIN, `http://${inside.host}/token`)
    await expect(fetchOci(`${server.host}/acme/weather:1`)).rejects.toThrow('private address')
    expect(inside.seen).toEqual([])
  } finally {
    process.env['FTL_REGISTRY_TOKEN'] = PASSWORD
  }
})

it('a registry that stores another manifest is noticed', async () => {
  const server = await start()
  server.answer('/v2/acme/weather/manifests/1', (request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    const other = `sha256:${'0'.repeat(64)}`
    response.writeHead(201, { 'docker-content-digest': other }).end()
  })
  await expect(pushTo(server)).rejects.toThrow('stored another manifest')
})

it('what is there is not sent again, and a tag with another content is replaced only on request', async () => {
  const server = await start()
  const artifact = artifactOf(WASM)
  const pushing = () => new OciPush(parseReference(`${server.host}/acme/weather:1`))
  expect(await pushing().push(artifact)).toEqual({ wasThere: false })
  server.seen.length = 0
  expect(await pushing().push(artifact)).toEqual({ wasThere: true })
  expect(server.seen.map(({ method }) => method)).toEqual(['GET'])
  const other = artifactOf(Buffer.from('another component'))
  await expect(pushing().push(other)).rejects.toThrow('published already, with another content')
  expect(server.tags.get('1')).toBe(artifact.digest)
  await pushing().push(other, { replace: true })
  expect(server.tags.get('1')).toBe(other.digest)
})

it('an upload that ended early leaves no artifact under the tag', async () => {
  const server = await start()
  server.answer('/v2/acme/weather/blobs/uploads/', (_, response) => response.destroy())
  await expect(pushTo(server)).rejects.toThrow('cannot be reached')
  expect(server.tags.size).toBe(0)
})

it.each([true, false])(
  'a signature is found where the registry lists referrers, and where it does not (%s)',
  async (hasReferrers) => {
    const server = await start(undefined, undefined, { hasReferrers })
    const about = described(WASM)
    const signature = signPackage(about, publisher.privateKey)
    const artifact = artifactOf(WASM)
    const pushing = new OciPush(parseReference(`${server.host}/acme/weather:1`))
    await pushing.push(artifact)
    const attached = signatureArtifact(artifact, signature)
    await pushing.attach(attached, artifact, SIGNATURE_TYPE)
    await pushing.attach(attached, artifact, SIGNATURE_TYPE)
    const fetched = await fetchOci(`${server.host}/acme/weather:1`)
    expect(fetched.signatures).toEqual([signature])
  },
)

it('of four signatures that are attached at once, to a registry without lists of referrers, none is lost', async () => {
  const server = await start(undefined, undefined, { hasReferrers: false })
  const about = described(WASM)
  const artifact = artifactOf(WASM)
  const path = `/v2/acme/weather/manifests/${artifact.digest.replace(':', '-')}`
  await new OciPush(parseReference(`${server.host}/acme/weather:1`)).push(artifact)
  // All read the list before the first of them writes it.
  const waiting: (() => void)[] = []
  server.hold(path, async () => {
    const all = waiting.length < 4 && new Promise<void>((done) => waiting.push(done))
    if (waiting.length === 4) for (const done of waiting) done()
    await all
  })
  const keys = Array.from({ length: 4 }, newKeyPair)
  await Promise.all(
    keys.map(({ privateKey }) => {
      const attached = signatureArtifact(artifact, signPackage(about, privateKey))
      const pushing = new OciPush(parseReference(`${server.host}/acme/weather:1`))
      return pushing.attach(attached, artifact, SIGNATURE_TYPE)
    }),
  )
  const { signatures } = await fetchOci(`${server.host}/acme/weather:1`)
  const { signers } = signersOf(about, signatures)
  const expected = keys.map(({ publicKey }) => `ed25519:${publicKey}`).toSorted()
  expect(signers).toEqual(expected)
})

it('a signature that others remove from the list each time is an error', async () => {
  const server = await start(undefined, undefined, { hasReferrers: false })
  const artifact = artifactOf(WASM)
  const pushing = new OciPush(parseReference(`${server.host}/acme/weather:1`))
  await pushing.push(artifact)
  const path = `/v2/acme/weather/manifests/${artifact.digest.replace(':', '-')}`
  server.answer(path, (request, response) => {
    request.resume()
    response.writeHead(request.method === 'GET' ? 404 : 201).end()
  })
  const client = new OciClient(parseReference(`${server.host}/acme/weather:1`))
  const listing = { client, artifact, subject: artifact.digest, artifactType: SIGNATURE_TYPE }
  const failure = () => new CommandFailure('the registry has answered')
  const pause = () => Promise.resolve()
  await expect(listReferrer({ ...listing, failure, pause })).rejects.toThrow(
    'stored and not listed',
  )
})
