/** Which features a gateway is built without, because the application has nothing to use them for. */
import type { ComponentManifest, Manifest } from 'ftl-host'
import type { BuildTarget } from '../build/index.ts'
import { valueOf } from './manifest-value.ts'
import { isGateway, memberNames } from '../members/placed-names.ts'

/**
 * Programs need the component that runs them: the one that `code_component` names, by default `code`. Opaque tokens, DPoP, tokens that
 * components exchange, and a server card need a variable that `spin.toml` does not have by itself. A component that takes files has the
 * variable with their largest size. Skills need a component that names them, and instructions of other servers the one that has these
 * behind it.
 */
export function featuresOf(
  manifest: Manifest,
  { variables }: Pick<ComponentManifest, 'variables'>,
): Pick<BuildTarget, 'without'> {
  if (!isGateway({ variables })) return {}
  const runner = valueOf(manifest, variables['code_component']) || 'code'
  const isThere =
    manifest.components.has(runner) ||
    [...manifest.components.values()].some((each) => memberNames(each).includes(runner))
  const without = [
    ...(isThere ? [] : ['programs' as const]),
    ...(Object.hasOwn(variables, 'auth_introspection') ? [] : ['introspection' as const]),
    ...(Object.hasOwn(variables, 'auth_dpop') ? [] : ['dpop' as const]),
    ...(Object.hasOwn(variables, 'caller_token_components') ? [] : ['callerToken' as const]),
    ...(hasSkills(manifest) ? [] : ['skills' as const]),
    ...(hasVariable(manifest, RELAYED) ? [] : ['instructions' as const]),
    ...(hasVariable(manifest, UPLOADS) ? [] : ['uploads' as const]),
    ...(Object.hasOwn(variables, 'server_card') ? [] : ['card' as const]),
  ]
  return without.length > 0 ? { without } : {}
}

/** In a component with several members, a variable has the name of its member in front. */
function hasVariable({ components }: Manifest, wanted: RegExp): boolean {
  return [...components.values()].some(({ variables }) =>
    Object.keys(variables).some((name) => wanted.test(name)),
  )
}

const UPLOADS = /(^|_)upload_max_bytes$/
const RELAYED = /(^|_)remote_servers$/

function hasSkills({ components }: Manifest): boolean {
  return [...components.values()].some(({ tool }) => tool['ftl']?.['skills'] !== undefined)
}
