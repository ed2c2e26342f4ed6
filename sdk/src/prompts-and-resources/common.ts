/** What prompts and resources have in common, and the completion of their arguments. */
import type { Offer } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import type { OwnedContext } from '../serve/context.ts'
import type { Prompt } from './prompt.ts'
import type { Resource } from './resource.ts'

/**
 * Completions of the text typed so far; at most 100 are sent. Of a list, those that start with the text, in any case.
 *
 * @example complete: ['Rome', 'Riga']
 * @example complete: async (value, { arguments: known, context }) => lookUp(value, known.country)
 */
export type Complete =
  | readonly string[]
  | ((
      value: string,
      known: { arguments: Readonly<Record<string, string>>; context: ToolContext },
    ) => readonly string[] | Promise<readonly string[]>)

/** Prompts and resources of one component. */
export interface PromptsAndResources {
  prompts: readonly Prompt[]
  resources: readonly Resource[]
}

/** Each prompt and resource carries its server, so that a component without any is built without this code. */
export interface PromptResourceServer {
  describe(offers: PromptsAndResources): Partial<Offer>
  /** `undefined` when the path belongs to neither prompts nor resources. */
  answer(
    offers: PromptsAndResources,
    request: Request,
    path: string,
    owned: OwnedContext,
  ): Promise<Response | undefined>
}

export interface Servable {
  /** By argument name. */
  completions: ReadonlyMap<string, Complete>
  serve: PromptResourceServer
}

export function completionsOf(
  known: Readonly<Record<string, { complete?: Complete }>>,
): ReadonlyMap<string, Complete> {
  return new Map(
    Object.entries(known).flatMap(([name, { complete }]) =>
      complete ? [[name, complete] as const] : [],
    ),
  )
}
