/** `createDynamicFeatures`: prompts and resources that are known only at run time, such as those of other servers. */
import type { InputRequired, PromptResult, ResourceResult } from 'ftl-contract'
import type { OwnedContext } from '../serve/context.ts'
import { json, methodNotAllowed, notFound } from '../serve/contract-responses.ts'
import type { ToolContext } from '../tool/context.ts'
import { answering, bodyOf, type CompletionQuestion } from './serve.ts'

/** Possible values of an argument. */
export interface CompletionAnswer {
  completion: { values: string[]; total?: number; hasMore?: boolean }
}

/** What is asked for. Each returns `undefined` for what does not exist. */
export interface DynamicFeatures {
  prompt(
    name: string,
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ): Promise<PromptResult | InputRequired | undefined>
  resource(uri: string, context: ToolContext): Promise<ResourceResult | InputRequired | undefined>
  complete(
    question: CompletionQuestion,
    context: ToolContext,
  ): Promise<CompletionAnswer | undefined>
}

/** Answers the requests of a component that are for no tool. */
export interface FeatureServer {
  /** `undefined` when the path belongs to neither prompts nor resources. */
  answer(request: Request, path: string, owned: OwnedContext): Promise<Response | undefined>
}

/** For {@link createDynamicTools}: a component without it is built without this code. */
export function createDynamicFeatures(features: DynamicFeatures): FeatureServer {
  return {
    async answer(request, path, { context }) {
      const { method, url } = request
      if (path.startsWith('/prompts/')) {
        if (method !== 'POST') return methodNotAllowed('POST')
        return answering(path, context, async () => {
          const name = decodeURIComponent(path.slice('/prompts/'.length))
          const args = (await bodyOf(request, context)) as Record<string, unknown>
          return found(await features.prompt(name, args, context), `no prompt ${name}`)
        })
      }
      if (path === '/resources') {
        if (method !== 'GET' && method !== 'POST') return methodNotAllowed('GET, POST')
        return answering(path, context, async () => {
          // A repeated question brings the answers of the client.
          if (method === 'POST') await bodyOf(request, context)
          const uri = new URL(url).searchParams.get('uri') ?? ''
          return found(await features.resource(uri, context), `no resource ${uri}`)
        })
      }
      if (path !== '/complete') return undefined
      if (method !== 'POST') return methodNotAllowed('POST')
      return answering(path, context, async () => {
        const question = (await bodyOf(request, context)) as CompletionQuestion
        return found(await features.complete(question, context), 'no such reference')
      })
    },
  }
}

function found(answer: object | undefined, otherwise: string): Response {
  return answer ? json(200, answer) : notFound(otherwise)
}
