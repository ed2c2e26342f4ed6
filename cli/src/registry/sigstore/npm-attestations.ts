/** The attestations of an npm registry for a version. @see https://docs.npmjs.com/generating-provenance-statements */
import { isObject, jsonOf } from 'ftl-contract'
import { CommandFailure } from '../../terminal/failure.ts'
import type { NpmRegistry } from '../npmrc.ts'
import { requestOf } from '../registry-request.ts'
import type { Attestation, RegistryKey } from './verify-bundle.ts'

const MOST_ATTESTATIONS = 4 * 1024 * 1024

/** Bundles of one version that are read. */
const MOST_BUNDLES = 16

/** @param integrity `sha512-` and base64. @returns none where the registry has none. @throws {CommandFailure} */
export async function npmAttestations(
  name: string,
  version: string,
  integrity: string,
  { url, authorization }: NpmRegistry,
): Promise<Attestation[]> {
  const [, base64] = /(?:^|\s)sha512-([A-Za-z0-9+/]{86}==)/.exec(integrity) ?? []
  if (base64 === undefined) return []
  const { status, body } = await requestOf(
    `${url}-/npm/v1/attestations/${name.replace('/', '%2f')}@${version}`,
    { authorization, limit: MOST_ATTESTATIONS, headers: { accept: 'application/json' } },
  )
  if (status === 404) return []
  const value = status === 200 ? jsonOf(body.toString('utf8')) : undefined
  const list = isObject(value) ? value['attestations'] : undefined
  if (!Array.isArray(list))
    throw new CommandFailure(
      `the attestations of ${name}@${version} cannot be fetched: the registry answered ${status}`,
    )
  if (list.length > MOST_BUNDLES)
    throw new CommandFailure(`${name}@${version} has more than ${MOST_BUNDLES} attestations`)
  const subject = {
    algorithm: 'sha512' as const,
    digest: Buffer.from(base64, 'base64').toString('hex'),
    // A package URL: a statement about another package with the same content does not count.
    name: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
  return (list as unknown[]).flatMap((each) =>
    isObject(each) && isObject(each['bundle']) ? [{ bundle: each['bundle'], subject }] : [],
  )
}

/** The keys of `/-/npm/v1/keys`, with which a registry also signs what it has published. */
export function registryKeys(keys: readonly unknown[]): RegistryKey[] {
  return keys.flatMap((each) =>
    isObject(each) && typeof each['keyid'] === 'string' && typeof each['key'] === 'string'
      ? [{ keyid: each['keyid'], der: Buffer.from(each['key'], 'base64') }]
      : [],
  )
}
