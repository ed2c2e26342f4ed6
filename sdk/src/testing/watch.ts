/** Looks over a component's shoulder: what its tools throw and answer, before it is worded for a client. */
import { type ComponentEntry, toToolSet } from '../serve/component.ts'
import type { Tool } from '../tool/create-tool.ts'
import { ToolStream } from '../tool/stream.ts'
import { assertPlainJson } from './plain-json.ts'

export interface Watched {
  entry: ComponentEntry
  /** What was thrown since the last time it was asked for. */
  takeError(): unknown
}

export function watch(entry: ComponentEntry): Watched {
  let thrown: unknown
  const note: Note = (error) => {
    thrown = error
    throw error
  }
  return {
    entry: watchEntry(entry, note),
    takeError: () => {
      const error = thrown
      thrown = undefined
      return error
    },
  }
}

type Note = (error: unknown) => never

/** The form stays: what a component publishes depends on whether it exports a tool or a set. */
function watchEntry(entry: ComponentEntry, note: Note): ComponentEntry {
  const main = entry.default
  if (entry.tool) return { ...entry, tool: watchTool(entry.tool, note) }
  if (!entry.tools && main && 'call' in main) return { ...entry, default: watchTool(main, note) }
  const set = toToolSet(entry)
  // It answers every request itself, or is refused as it would be when it is built.
  if (!set) return entry
  const { find } = set
  const tools = {
    ...set,
    tools: set.tools.map((tool) => watchTool(tool, note)),
    ...(find && {
      find: async (...args: Parameters<typeof find>) => {
        const found = await find(...args)
        return found && watchTool(found, note)
      },
    }),
  }
  return entry.tools ? { ...entry, tools } : { ...entry, default: tools }
}

function watchTool(tool: Tool, note: Note): Tool {
  return {
    ...tool,
    async call(args, context) {
      try {
        const answer = await tool.call(args, context)
        if (answer instanceof ToolStream) return watchNews(answer, note)
        assertPlainJson(answer)
        return answer
      } catch (error) {
        return note(error)
      }
    },
  }
}

function watchNews(stream: ToolStream, note: Note): ToolStream {
  const next = stream.next.bind(stream)
  stream.next = async () => {
    try {
      const found = await next()
      assertPlainJson(found.value)
      return found
    } catch (error) {
      return note(error)
    }
  }
  return stream
}
