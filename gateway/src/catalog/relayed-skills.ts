/**
 * Skills of other servers. A component that relays names them apart from its resources: other servers have written the `_meta` of
 * those, and would otherwise say which files the gateway lists as a skill.
 */
import { isObject, isString, type Offer, SKILL_KEY } from 'ftl-contract'

/** @returns what the component offers, with its skills in the form that other components have. */
export function withRelayedSkills(offer: Offer): Offer {
  const { relays, resources, skills } = offer
  if (relays !== true || !Array.isArray(resources)) return offer
  // The addresses come from other servers, so they are keys of a Map.
  const manifests = new Map<string, object>()
  for (const skill of Array.isArray(skills) ? (skills as unknown[]) : []) {
    if (!isObject(skill) || !isString(skill.uri)) continue
    const { uri, frontmatter, files } = skill
    manifests.set(uri, { frontmatter, files })
  }
  return { ...offer, resources: resources.map((entry) => withManifest(entry, manifests)) }
}

function withManifest<T>(entry: T, manifests: ReadonlyMap<string, object>): T {
  if (!isObject(entry)) return entry
  const { uri, _meta } = entry as Record<string, unknown>
  const manifest = isString(uri) ? manifests.get(uri) : undefined
  const isSaid = isObject(_meta) && Object.hasOwn(_meta, SKILL_KEY)
  if (!manifest && !isSaid) return entry
  const { [SKILL_KEY]: _, ...others } = isObject(_meta) ? _meta : {}
  return { ...entry, _meta: { ...others, ...(manifest && { [SKILL_KEY]: manifest }) } }
}
