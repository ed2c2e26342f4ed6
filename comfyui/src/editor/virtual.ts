/** Nodes that only the editor has: the server never sees them. */

export type VirtualKind = 'note' | 'primitive' | 'reroute' | 'set' | 'get'

const KINDS: Readonly<Record<string, VirtualKind>> = {
  Note: 'note',
  MarkdownNote: 'note',
  PrimitiveNode: 'primitive',
  Reroute: 'reroute',
  'Reroute (rgthree)': 'reroute',
  SetNode: 'set',
  GetNode: 'get',
  'easy setNode': 'set',
  'easy getNode': 'get',
}
/** Buttons and labels of a node pack, which switch other nodes off: the file has the result. */
const BUTTONS =
  /^(?:Label|Bookmark|Node Collector|Random Unmuter|Fast (?:Groups )?(?:Muter|Bypasser)|Fast Actions Button|Mute \/ Bypass (?:Repeater|Relay)) \(rgthree\)$/

/** @returns `undefined` for a class that a server may have. */
export function virtualKind(type: string): VirtualKind | undefined {
  if (Object.hasOwn(KINDS, type)) return KINDS[type]
  return BUTTONS.test(type) ? 'note' : undefined
}
