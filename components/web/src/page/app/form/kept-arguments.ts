/** Arguments of a tool that this browser keeps: the last ones that were sent, and those saved under a name. Never secrets. */
import { asArray, asRecord, text } from '../net/api.ts'
import { load, save } from '../local-storage.ts'
import { withoutSecrets } from './schema/secrets.ts'
import { isObject, type Json } from './schema/values.ts'

export interface Kept {
  /** Empty for those that were only sent. */
  name: string
  args: Json
}

const MOST_RECENT = 8
/** Characters. Larger ones, such as files, are not kept. */
const LARGEST = 20_000

const keyOf = (tool: string) => `args.${tool}`

export function keptArguments(tool: string): Kept[] {
  return asArray(load(keyOf(tool))).flatMap((entry) => {
    const { name, args } = asRecord(entry)
    return isObject(args) ? [{ name: text(name) ?? '', args }] : []
  })
}

/** @param name saves them until they are removed. @default they are among the recent ones */
export function keepArguments(tool: string, schema: unknown, args: Json, name = ''): void {
  const safe = withoutSecrets(schema, args)
  const written = JSON.stringify(safe)
  if (!isObject(safe) || written.length > LARGEST || (name === '' && written === '{}')) return
  const isSame = (kept: Kept) =>
    name === '' ? kept.name === '' && JSON.stringify(kept.args) === written : kept.name === name
  const all = [{ name, args: safe }, ...keptArguments(tool).filter((kept) => !isSame(kept))]
  const saved = all.filter((kept) => kept.name !== '')
  const recent = all.filter((kept) => kept.name === '').slice(0, MOST_RECENT)
  save(keyOf(tool), [...saved, ...recent])
}

export function forgetArguments(tool: string, index: number): void {
  const left = keptArguments(tool).filter((_, at) => at !== index)
  save(keyOf(tool), left.length > 0 ? left : undefined)
}
