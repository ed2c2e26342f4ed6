/** Adds declarations to the text of a `spin.toml`. All other bytes stay as they are. */
import { isDeepStrictEqual } from 'node:util'
import { quote, renderVariable } from 'create-ftl-tool'
import { type ComponentManifest, type Manifest, parseManifest } from 'ftl-host'
import { applyEdits, type Edit } from '../new/edit-manifest.ts'
import { pathKey, scanToml } from '../new/toml-spans.ts'
import { NotEditable } from '../new/tool-list.ts'
import type { Lacking } from './undeclared.ts'

/** @throws {NotEditable} when the text has another form than `ftl new` writes. */
export function withDeclarations(
  text: string,
  manifest: Manifest,
  gateway: ComponentManifest,
  lacking: Lacking,
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const { tableEnds, strings } = scanToml(text)
  const { id } = gateway
  const edits: Edit[] = []
  const append = (table: string[], lines: string[]) => {
    if (lines.length === 0) return
    const end = tableEnds.get(pathKey(...table))
    if (end === undefined) throw new NotEditable(`there is no table [${table.join('.')}]`)
    edits.push({ from: end, to: end, text: lines.map((line) => eol + line).join('') })
  }
  append(['variables'], Object.entries(lacking.declarations).map(renderVariable))
  const fresh: string[] = []
  for (const [name, value] of Object.entries(lacking.bindings)) {
    const span = strings.get(pathKey('component', id, 'variables', name))
    if (span) edits.push({ from: span.start, to: span.end, text: value })
    else fresh.push(`${name} = ${quote(value)}`)
  }
  append(['component', id, 'variables'], fresh)
  if (lacking.hosts.length > 0) {
    const last = strings.get(
      pathKey('component', id, 'allowed_outbound_hosts', gateway.allowedOutboundHosts.length - 1),
    )
    if (!last) throw new NotEditable(`[component.${id}] has no allowed_outbound_hosts`)
    const { end, quote: mark } = last
    const more = lacking.hosts.map((host) => `, ${mark}${host}${mark}`).join('')
    edits.push({ from: end + mark.length, to: end + mark.length, text: more })
  }
  const edited = applyEdits(text, edits)
  verify(manifest, gateway, lacking, parseManifest(edited, manifest.file))
  return edited
}

/** @throws {NotEditable} when anything else would change. */
function verify(
  before: Manifest,
  gateway: ComponentManifest,
  lacking: Lacking,
  after: Manifest,
): void {
  const variables = new Map(before.variables)
  for (const [name, { default: value, secret = false }] of Object.entries(lacking.declarations))
    variables.set(name, { default: value, required: false, secret })
  const components = new Map(before.components)
  components.set(gateway.id, {
    ...gateway,
    variables: { ...gateway.variables, ...lacking.bindings },
    allowedOutboundHosts: [...gateway.allowedOutboundHosts, ...lacking.hosts],
  })
  const expected = { ...before, variables, components }
  if (!isDeepStrictEqual(plain(after), plain(expected)))
    throw new NotEditable('the edit would change something else')
}

/** Tables of the parser have no prototype; the order of variables means nothing. */
function plain(manifest: Manifest): unknown {
  const sorted = (_: string, value: unknown): unknown => {
    if (value instanceof Map) return Object.fromEntries([...value].sort())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return JSON.parse(JSON.stringify(manifest, sorted)) as unknown
}
