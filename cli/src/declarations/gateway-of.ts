import type { ComponentManifest, Manifest } from 'ftl-host'

/** @returns `undefined` for an application without a gateway, or with several. */
export function onlyGateway({
  components,
}: Pick<Manifest, 'components'>): ComponentManifest | undefined {
  const [gateway, another] = [...components.values()].filter(({ variables }) =>
    Object.hasOwn(variables, 'tool_components'),
  )
  return another ? undefined : gateway
}
