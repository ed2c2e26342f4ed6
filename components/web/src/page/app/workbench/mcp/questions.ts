/** What a server asks the person during a call. */
import type { Answers } from 'ftl-client/browser'
import { askPerson } from '../../approval/approvals.ts'
import { isObject, type Json } from '../../form/schema/values.ts'
import { createStore } from '../../store.ts'

type Elicitation = NonNullable<Answers['elicitation']>
type Answer = Awaited<ReturnType<Elicitation>>

export interface Elicited {
  number: number
  /** Name of another server that asks; empty for this gateway. */
  server: string
  message: string
  schema: Json
  /** Of a page to open, in place of a form. */
  url: string
  answer: (answer: Answer) => void
}

/** The first one is shown. */
export const elicited = createStore<readonly Elicited[]>([])
let count = 0

/** The calls that run: an approval is for one of these. */
export const running = new Map<string, Record<string, unknown>>()

/** @param server name of another server, which cannot ask for an approval. @default this gateway */
export const elicitationOf =
  (server = ''): Elicitation =>
  (params) =>
    ask(server, params)

const ask = async (server: string, params: Parameters<Elicitation>[0]): Promise<Answer> => {
  const message = params.message
  const schema: unknown = 'requestedSchema' in params ? params.requestedSchema : {}
  const approval = server === '' ? approvalIn(message, schema) : undefined
  if (approval) return { action: (await askPerson(approval)) ? 'accept' : 'decline' }
  return new Promise((resolve) => {
    const number = ++count
    elicited.set((all) => [
      ...all,
      {
        number,
        server,
        message,
        schema: isObject(schema) ? schema : {},
        url: 'url' in params && typeof params.url === 'string' ? params.url : '',
        answer(answer) {
          elicited.set((rest) => rest.filter((other) => other.number !== number))
          resolve(answer)
        },
      },
    ])
  })
}

/**
 * The gateway's own question. The page shows what it has sent itself, and nothing of the message but the component: a tool
 * that imitates the question gets an approval that is worth nothing.
 */
function approvalIn(message: string, schema: unknown) {
  const [, tool = '', component = ''] =
    /^Approve this call\?\nTool: (.*)\nComponent: (.*)\nArguments: /.exec(message) ?? []
  const args = running.get(tool)
  const hasFields =
    isObject(schema) &&
    isObject(schema['properties']) &&
    Object.keys(schema['properties']).length > 0
  if (!args || hasFields) return undefined
  return { tool, component, arguments: args, asker: 'you, on this page' }
}
