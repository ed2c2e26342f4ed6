/**
 * What prompts and resources have in common, and what their arguments may be completed to.
 *
 * @module
 */
import type { Offer } from '../contract/offer.ts'
import type { ToolContext } from '../tool/context.ts'
import type { OwnedContext } from '../serve/context.ts'
import type { Prompt } from './prompt.ts'
import type { Resource } from './resource.ts'

/**
 * Values for what has been typed so far; at most 100 are shown. A plain list is searched for what begins like it.
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
export interface Offers {
  prompts: readonly Prompt[]
  resources: readonly Resource[]
}

/** How they are served comes with each of them, so that a component without any is built without it. */
export interface OfferServer {
  describe(offers: Offers): Partial<Offer>
  /** `undefined` when the path is none of theirs. */
  answer(
    offers: Offers,
    request: Request,
    path: string,
    owned: OwnedContext,
  ): Promise<Response | undefined>
}

export interface Offered {
  /** By the names of arguments. */
  completions: ReadonlyMap<string, Complete>
  serve: OfferServer
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
