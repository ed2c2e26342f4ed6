/** What a request may ask for: scopes and a resource. */
import { urlIn } from 'ftl-http'
import { audienceOf, type Settings } from '../settings.ts'

/** Every user may have these; the policy of the gateway decides what a user may do with them. */
export function supportedScopes({ scopes, moreScopes }: Settings): string[] {
  return [...new Set([...scopes, ...moreScopes])]
}

/**
 * Unknown scopes are left out, as the specification permits: clients ask for those of other servers, too. The answer says
 * what is granted.
 */
export function grantedScopes(settings: Settings, wanted: string | undefined): string[] {
  const asked = new Set((wanted ?? '').split(' '))
  // Without these, the gateway would refuse every request.
  return supportedScopes(settings).filter(
    (scope) => settings.scopes.includes(scope) || asked.has(scope),
  )
}

/**
 * The resource that a token is for: the gateway, or the endpoint of one of its components.
 *
 * @returns `undefined` for any other one. @see https://www.rfc-editor.org/rfc/rfc8707
 */
export function resourceFor(settings: Settings, wanted: string | undefined): string | undefined {
  const own = audienceOf(settings)
  if (wanted === undefined) return own
  const url = urlIn(wanted)
  if (!url || url.hash !== '' || url.search !== '') return undefined
  const href = url.href.replace(/\/$/, '')
  const base = new URL(own).href.replace(/\/$/, '')
  if (href === base) return own
  const isBelow =
    href.startsWith(`${base}/`) && href.length <= 500 && !/[%\\]|\/\//.test(href.slice(base.length))
  return isBelow ? href : undefined
}
