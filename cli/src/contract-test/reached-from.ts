import type { Manifest } from 'ftl-host'

/** The component and those it may call; all of them where it may call any. */
export function reachedFrom(id: string, { components }: Pick<Manifest, 'components'>): string[] {
  const reached = new Set([id])
  for (const one of reached) {
    for (const host of components.get(one)?.allowedOutboundHosts ?? []) {
      const target = /^[^/]*:\/\/([^/:]+)\.spin\.internal/i.exec(host)?.[1]
      if (target === '*') return [...components.keys()]
      if (target !== undefined && components.has(target)) reached.add(target)
    }
  }
  return [...reached]
}
