import type { PromptDescription } from './prompt.ts'
import type { ResourceDescription, ResourceTemplateDescription } from './resource.ts'
import type { RelayedSkill } from './skill.ts'
import type { ToolDescription } from './tool.ts'

/** Everything a component may publish at `GET /`. */
export interface Offer {
  tools?: ToolDescription[]
  prompts?: PromptDescription[]
  resources?: ResourceDescription[]
  resourceTemplates?: ResourceTemplateDescription[]
  /** It answers `POST /complete`. @default false */
  completions?: boolean
  /** Its tools start jobs. @default false */
  jobs?: boolean
  /** Its tools send log lines. @default false */
  logging?: boolean
  /** Its tools are those of servers that it did not check: a result that misses its outputSchema keeps its texts. @default false */
  relays?: boolean
  /** Of a component that relays: how its servers say that their tools are used, for models. @default nothing */
  instructions?: string
  /**
   * Of a component that relays: skills of its servers. Each is about the resource with its address. What such a resource itself
   * says under `ftl/skill` counts for nothing, because a server may have written it.
   */
  skills?: RelayedSkill[]
  /** How many entries it has and does not list, for their number or size. @default 0 */
  leftOut?: number
  /** What of its configuration it cannot use, a line each; shown to the operator and not to a client's model. */
  problems?: string[]
}
