import { createWorld, several } from '../../testing/components.ts'
import { send } from '../../testing/rest.ts'
import { labelledTools } from './labelled/labelled.ts'

const LABELLED = labelledTools().map(({ description }) => description)

/** A list as a model gets it: in the form of OpenAI's functions, with as many tools as are wanted. */
export async function listOf(count: number, query: string): Promise<string> {
  const tools = Array.from({ length: count }, (_, number) => {
    const tool = LABELLED[number % LABELLED.length] as (typeof LABELLED)[number]
    return number < LABELLED.length ? tool : { ...tool, name: `${tool.name}_2` }
  })
  const world = createWorld({ components: { app: several(tools) } })
  const { body } = await send(world, `/tools?format=mcp&${query}`)
  return JSON.stringify(body.tools)
}
