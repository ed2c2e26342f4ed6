/** Fetches a package of an npm registry. Its scripts are never run: only two of its files are read. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { isObject, isString } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { MOST_COMPONENT_BYTES, NPM_KEY } from './component-package.ts'
import type { Fetched } from './fetched.ts'
import { type NpmRegistry, npmRegistry } from './npmrc.ts'
import { requestOf } from './registry-request.ts'
import { npmAttestations, registryKeys } from './sigstore/npm-attestations.ts'
import { readTarball } from './tarball.ts'
import { chooseVersion } from './versions.ts'

const MOST_METADATA = 16 * 1024 * 1024
const MOST_KEYS = 256 * 1024

/** @param spec `name` or `name@range`. @throws {CommandFailure} */
export async function fetchNpm(spec: string, folder: string): Promise<Fetched> {
  const [, name = '', range = ''] =
    /^((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)(?:@(.+))?$/.exec(spec) ?? []
  if (name === '')
    throw new CommandFailure(
      `"${spec.slice(0, 80)}" must be the name of an npm package, with @range after it`,
    )
  const registry = npmRegistry(name, folder)
  const metadata = await json(
    `${registry.url}${name.replace('/', '%2f')}`,
    registry,
    MOST_METADATA,
    `there is no package ${name}`,
  )
  const versions = isObject(metadata['versions']) ? metadata['versions'] : {}
  const tags = isObject(metadata['dist-tags']) ? metadata['dist-tags'] : {}
  const version = chooseVersion(range, Object.keys(versions), tags)
  const dist = own(versions[version], 'dist')
  const tarball = own(dist, 'tarball')
  const integrity = own(dist, 'integrity')
  if (typeof tarball !== 'string' || typeof integrity !== 'string') {
    throw new CommandFailure(
      `${name}@${version} has no tarball with an integrity at ${registry.url}`,
    )
  }
  const { body, status } = await requestOf(new URL(tarball, registry.url).href, {
    authorization: sameOrigin(tarball, registry) ? registry.authorization : undefined,
    limit: MOST_COMPONENT_BYTES,
  })
  if (status !== 200)
    throw new CommandFailure(
      `${name}@${version} cannot be fetched: the registry answered ${status}`,
    )
  checkIntegrity(body, integrity, `${name}@${version}`)
  const checks = [`the integrity of the registry (${integrity.slice(0, 19)}…)`]
  const keys = await keysOf(registry)
  if (isSigned(`${name}@${version}:${integrity}`, own(dist, 'signatures'), keys)) {
    checks.push('the signature of the registry')
  }
  const hasAttestations = own(dist, 'attestations') !== undefined
  return {
    ...contentOf(readTarball(body)),
    attestations: hasAttestations ? await npmAttestations(name, version, integrity, registry) : [],
    registryKeys: registryKeys(keys),
    ...{ source: `npm:${name}@${version}`, version, checks },
    asked: { name, version },
  }
}

/** The archive that `ftl publish --npm` and `npm pack` write. @throws {CommandFailure} */
export function readArchive(archive: Buffer, path: string): Fetched {
  const content = contentOf(readTarball(archive))
  const { name, version } = content.about
  return {
    ...content,
    attestations: [],
    registryKeys: [],
    ...{ source: path, version: isString(version) ? version : '' },
    asked: {},
    checks: [`no registry: ${isString(name) ? name : 'it'} is a file of this machine`],
  }
}

function contentOf(
  files: ReadonlyMap<string, Buffer>,
): Pick<Fetched, 'wasm' | 'signatures' | 'unreadSignatures'> & { about: Record<string, unknown> } {
  const described = parse(files.get('package.json'), 'package.json')
  const ftl = own(described, NPM_KEY)
  const path = own(ftl, 'component')
  const wasm = typeof path === 'string' ? files.get(path) : undefined
  if (!isObject(ftl) || !wasm) {
    throw new CommandFailure(
      'the package is not one of ftl: its package.json must have "ftl" with "component", the path of a .wasm in it',
    )
  }
  const signatures = files.has('ftl-signature.json')
    ? [parse(files.get('ftl-signature.json'), 'ftl-signature.json')]
    : []
  return {
    wasm,
    about: { ...ftl, name: own(described, 'name'), version: own(described, 'version') },
    signatures,
    unreadSignatures: 0,
  }
}

function parse(bytes: Buffer | undefined, name: string): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '') as unknown
  } catch {
    throw new CommandFailure(`the ${name} of the package is missing or is not JSON`)
  }
}

function checkIntegrity(body: Buffer, integrity: string, what: string): void {
  const [, algorithm = '', expected = ''] =
    /(?:^|\s)(sha512|sha256)-([A-Za-z0-9+/=]+)/.exec(integrity) ?? []
  if (algorithm === '') throw new CommandFailure(`${what} has no integrity with sha512 or sha256`)
  if (createHash(algorithm).update(body).digest('base64') === expected) return
  throw new CommandFailure(
    `${what} is not what the registry describes: its ${algorithm} differs, so it was changed on the way`,
  )
}

async function keysOf(registry: NpmRegistry): Promise<unknown[]> {
  const found = await json(`${registry.url}-/npm/v1/keys`, registry, MOST_KEYS).catch(
    () => undefined,
  )
  return Array.isArray(found?.['keys']) ? (found['keys'] as unknown[]) : []
}

/** @throws {CommandFailure} when there is a signature and a key, and they do not fit. @see https://docs.npmjs.com/about-registry-signatures */
function isSigned(text: string, signatures: unknown, keys: readonly unknown[]): boolean {
  if (!Array.isArray(signatures) || signatures.length === 0) return false
  for (const signature of signatures as unknown[]) {
    const key = keys.find((each) => own(each, 'keyid') === own(signature, 'keyid'))
    const [pem, sig] = [own(key, 'key'), own(signature, 'sig')]
    if (typeof pem !== 'string' || typeof sig !== 'string') continue
    const publicKey = createPublicKey({
      key: Buffer.from(pem, 'base64'),
      format: 'der',
      type: 'spki',
    })
    if (verify('sha256', Buffer.from(text), publicKey, Buffer.from(sig, 'base64'))) return true
    throw new CommandFailure(
      'the signature of the registry does not fit the package: it was changed',
    )
  }
  return false
}

async function json(
  url: string,
  { authorization }: NpmRegistry,
  limit: number,
  missing = 'not found',
): Promise<Record<string, unknown>> {
  const { status, body } = await requestOf(url, {
    authorization,
    limit,
    headers: { accept: 'application/json' },
  })
  if (status === 404) throw new CommandFailure(`${missing} at ${new URL(url).origin}`)
  if (status === 401 || status === 403) {
    throw new CommandFailure(
      `${new URL(url).origin} answered ${status}: put a token for it into .npmrc`,
    )
  }
  const value = status === 200 ? parse(body, 'description') : undefined
  if (!isObject(value))
    throw new CommandFailure(`${new URL(url).origin} answered ${status}, and no description`)
  return value
}

const sameOrigin = (tarball: string, { url }: NpmRegistry) =>
  new URL(tarball, url).origin === new URL(url).origin

function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
