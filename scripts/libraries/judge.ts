/** From what Node and components answered to what the table says. */
import type { Library } from './list.ts'

export interface Outcome {
  /** What the use returned, as JSON. */
  value?: string
  error?: string
}

/** What an author changes to make a library work. */
export type Setting = 'none' | 'other' | 'node_compat'

/** In the order in which they are tried: the first that works is the verdict. */
export const SETTINGS: readonly Setting[] = ['none', 'other', 'node_compat']

export interface Result {
  name: string
  version: string
  works: boolean
  /** With which setting it works. */
  setting?: Setting
  /** Kilobytes that it adds to a component. */
  kilobytes?: number
  /** The first line of what was wrong, without the setting. */
  error?: string
}

/** @param tried by setting, those that were tried. */
export function judge(
  { name, version }: Library,
  node: Outcome,
  tried: ReadonlyMap<Setting, Outcome & { size?: number }>,
  emptySize: number,
): Result {
  for (const setting of SETTINGS) {
    const outcome = tried.get(setting)
    if (!outcome || !isSame(node, outcome)) continue
    const kilobytes = Math.max(0, Math.round(((outcome.size ?? emptySize) - emptySize) / 1000))
    return { name, version, works: true, setting, kilobytes }
  }
  return { name, version, works: false, error: reason(node, tried.get('none')) }
}

export function isSame(node: Outcome, component: Outcome): boolean {
  return node.value !== undefined && node.value === component.value
}

function reason(node: Outcome, component: Outcome | undefined): string {
  if (component?.error !== undefined) return firstLine(component.error)
  if (node.error !== undefined) return `in Node: ${firstLine(node.error)}`
  return `another result than in Node: ${(component?.value ?? '').slice(0, 200)}`
}

/** Without places, which name folders of this machine. */
function firstLine(text: string): string {
  const line = text.split('\n').find((each) => !each.endsWith('could not be built:')) ?? ''
  return line.replace(/^\S+:\d+:\d+:?\s*/, '').slice(0, 300)
}
