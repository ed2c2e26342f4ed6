/** Live events of a running job, from the feed of a ComfyUI server to the room of a stream. */

/** Progress of the running node. */
export interface ComfyStep {
  value: number
  /** Absent for a node that does not count its steps. */
  max?: number
  /** Its id in the workflow. */
  node?: string | undefined
}

/** Progress of a whole job. */
export interface JobStep {
  value: number
  /** Absent until a node has counted its steps; grows when another one counts its own. */
  max: number | undefined
  /** Id of the running node. */
  node: string | undefined
  message: string
}

/** An unfinished picture. */
export interface ComfyPreview {
  mimeType: string
  /** base64 */
  data: string
}

/** From the feed of a server to the room of a stream, as JSON. */
export type LiveEvent = { step: ComfyStep } | { preview: ComfyPreview }

/** Headers of the request that links a room to a feed. */
export const FEED_HEADER = 'x-feed-name'
export const PROMPT_HEADER = 'x-feed-prompt'

/** Texts a room sends over the link: whether it wants previews too. */
export const WITH_PREVIEWS = 'with previews'
export const WITHOUT_PREVIEWS = 'without previews'
