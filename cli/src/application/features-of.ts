/** Which features a gateway is built without, because the application has nothing to use them for. */
import type { ComponentManifest, Manifest } from 'ftl-host'
import type { BuildTarget } from '../build/index.ts'
import { valueOf } from './manifest-value.ts'
import { isGateway, memberNames } from '../members/placed-names.ts'

/**
 * Programs need the component that runs them: the one that `code_component` names, by default `code`. Opaque tokens, DPoP and a server
 * card need a variable that `spin.toml` does not have by itself. A component that takes files has the variable with their largest size.
 * Skills need a component that names them.
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
    ...(hasSkills(manifest) ? [] : ['skills' as const]),
    ...(takesUploads(manifest) ? [] : ['uploads' as const]),
    ...(Object.hasOwn(variables, 'server_card') ? [] : ['card' as const]),
  ]
  return without.length > 0 ? { without } : {}
}

/** In a component with several members, a variable has the name of its member in front. */
function takesUploads({ components }: Manifest): boolean {
  return [...components.values()].some(({ variables }) =>
    Object.keys(variables).some((name) => /(^|_)upload_max_bytes$/.test(name)),
  )
}

function hasSkills({ components }: Manifest): boolean {
  return [...components.values()].some(({ tool }) => tool['ftl']?.['skills'] !== undefined)
}
