/**
 * Pins of what components publish: `ftl pin` writes them to `ftl.lock`, and the gateway reads them from its variable
 * `tool_pins`.
 */

/** The lists of a description whose entries are pinned. */
export const PINNED_KINDS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const

/** Which list an entry is in. */
export type PinnedKind = (typeof PINNED_KINDS)[number]

/** One entry of a component's description. */
export interface Pin {
  /** SHA-256 in hexadecimal of the canonical JSON of the entry as the component published it. */
  digest: string
  /** The entry itself, to show what has changed. The gateway does not read it. */
  published?: unknown
}

/** By the name of a tool or prompt, the uri of a resource, the uriTemplate of a template. */
export type ComponentPins = { [K in PinnedKind]?: Record<string, Pin> } & {
  /** SHA-256 of its `.wasm`, in hexadecimal. */
  wasm?: string
  /** Set by a host that has found another file than the pinned one, and serves none of it. @default false */
  changed?: boolean
}

/** The content of `ftl.lock`, and of `tool_pins`. */
export interface PinFile {
  version: 1
  components: Record<string, ComponentPins>
}

/** The name under which an entry is pinned. */
export function pinnedName(kind: PinnedKind, entry: object): unknown {
  const { name, uri, uriTemplate } = entry as Readonly<Record<string, unknown>>
  if (kind === 'resources') return uri
  return kind === 'resourceTemplates' ? uriTemplate : name
}
