import type { Manifest } from 'ftl-host'

/** Behaviour of Workers on this day. */
const COMPATIBILITY_DATE = '2026-04-01'

/**
 * @param variables those that the component uses.
 * @param bindings of KV namespaces, by label.
 */
export function wranglerConfig(
  name: string,
  variables: Manifest['variables'],
  bindings: Readonly<Record<string, string>>,
): string {
  const vars = [...variables].flatMap(([variable, { secret, default: value }]) =>
    secret || value === undefined ? [] : [[variable, value]],
  )
  const config = {
    name,
    main: 'worker.js',
    compatibility_date: COMPATIBILITY_DATE,
    vars: Object.fromEntries(vars) as Record<string, string>,
    // "wrangler kv namespace create NAME" prints the id.
    kv_namespaces: Object.values(bindings).map((binding) => ({ binding, id: 'REPLACE' })),
  }
  return `${JSON.stringify(config, undefined, 2)}\n`
}
