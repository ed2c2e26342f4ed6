/** `createDynamicTools`: tools that are known only at run time, from mounted files for example. */
import type { Offer, ToolDescription } from 'ftl-contract'
import type { JobDefinition } from '../job/definition.ts'
import { withJobs } from '../job/handlers.ts'
import type { FeatureServer } from '../prompts-and-resources/dynamic.ts'
import type { ContextPlatform, ToolContext } from './context.ts'
import type { Tool } from './create-tool.ts'
import type { ToolSet } from './create-tools.ts'
import { rehearse } from './rehearse.ts'

/** What such a component offers at this moment. Prompts and resources need `features`. */
export type DynamicOffer = Offer & { tools: ToolDescription[] }

/** How a component whose tools are known only at run time says which there are, and makes one. */
export interface DynamicTools<State> {
  /**
   * The tools there are now, and what of their configuration cannot be used.
   *
   * `jobs: false` says that none of them starts a job at present. @default whether there is a `job`
   */
  list: (context: ToolContext) => Promise<DynamicOffer>
  /** One of them, made by `createTool` for this call. */
  find: (name: string, context: ToolContext) => Promise<Tool | undefined>
  /**
   * How jobs of these tools are asked about and stopped, when they start any. It is one for all of them: a job outlives
   * its tool.
   */
  job?: Omit<JobDefinition<never, State, never>, 'prepare' | 'start'>
  /** Made by `createDynamicFeatures`: prompts and resources beside the tools. @default none */
  features?: FeatureServer
  /**
   * A call that the builder makes twice. Every request begins in the state that the build has left, so it saves each call
   * the time that code takes when it first runs.
   *
   * @default none
   */
  rehearsal?: Rehearsal
}

/** A call while the component is built, when there is no host. */
export interface Rehearsal {
  /** Name of a tool that `find` returns. Its arguments are empty. */
  tool: string
  /** A stand-in for the host. It must answer at once: the builder has no timers and no network. */
  platform: ContextPlatform
}

/**
 * Serves tools that may be other ones at every request.
 *
 * @example
 * export const tools = createDynamicTools({
 *   list: async ({ platform }) => ({ tools: (await readAll(platform)).map(({ description }) => description) }),
 *   find: async (name, { platform }) => readOne(name, platform),
 * })
 */
export function createDynamicTools<State>({
  list,
  find,
  job,
  features,
  rehearsal,
}: DynamicTools<State>): ToolSet {
  const set: ToolSet = {
    tools: [],
    find,
    offer: list,
    ...(features && { features }),
    ...(rehearsal && { rehearse: rehearse(rehearsal) }),
  }
  return job ? withJobs(set, { ...job, start: neverStarted }) : set
}

function neverStarted(): never {
  throw new Error('a job is started by the tool it belongs to')
}
