/**
 * What is told of a rendering that goes on.
 *
 * @module
 */

/** Where the running node is. */
export interface ComfyStep {
  value: number
  /** Absent for a node that does not count its steps. */
  max?: number
  /** Its id in the workflow. */
  node?: string
}

/** A picture that is not done. */
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

/** Texts a room sends over the link: whether previews are wanted too. */
export const WITH_PREVIEWS = 'with previews'
export const WITHOUT_PREVIEWS = 'without previews'
