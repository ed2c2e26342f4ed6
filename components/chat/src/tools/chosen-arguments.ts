/** Arguments that the user has chosen for a tool, such as the style of pictures: they replace those of the model. */
import { isObject } from 'ftl-contract'
import type { ModelCall } from '../model/messages.ts'
import { jsonOf } from './call-tool.ts'
import { calledTool } from './finding-tools.ts'

type Chosen = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** @param name the tool's own name; `undefined` for an unknown tool. */
export function withChosen(call: ModelCall, name: string | undefined, chosen: Chosen): ModelCall {
  if (name === undefined || chosen.size === 0) return call
  const args = jsonOf(call.arguments)
  if (!isObject(args)) return call
  const tool = calledTool(name, args)
  const own = chosen.get(tool)
  if (!own) return call
  const isInside = tool !== name
  const inner = isInside ? args.arguments : args
  const merged = { ...(isObject(inner) ? inner : {}), ...own }
  return { ...call, arguments: JSON.stringify(isInside ? { ...args, arguments: merged } : merged) }
}

/** Characters of a value in the system prompt. A picture is longer. */
const LONGEST = 500

/** For the system prompt: the model knows what it need not choose. Empty without any. */
export function aboutChosen(chosen: Chosen): string {
  const lines = [...chosen].map(([tool, args]) => {
    const short = Object.entries(args).map(([name, value]): [string, unknown] => {
      const isLong = JSON.stringify(value).length > LONGEST
      return [name, isLong ? '(given by the user)' : value]
    })
    return `${tool}: ${JSON.stringify(Object.fromEntries(short))}`
  })
  if (lines.length === 0) return ''
  const how = 'They apply to each call of the tool, so do not choose these arguments yourself.'
  return `\n\nThe user has chosen arguments. ${how}\n${lines.join('\n')}`
}
