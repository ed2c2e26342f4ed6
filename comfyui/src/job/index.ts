/**
 * A tool's job on a ComfyUI server, for components: connects, submits a prompt, polls and cancels it, serves its files.
 *
 * @module
 */
export { authHeader, connectTo, isSameServer, workflowServer } from './connect.ts'
export type { ServerAccess } from './connect.ts'
export { ERROR_PREFIX, toToolError } from './errors.ts'
export { INLINE_IMAGES, showsInline } from './inline-images.ts'
export { nameOutputs, preferKept, toLink } from './outputs.ts'
export type { NamedOutput } from './outputs.ts'
export { promptJob, SENDING_MESSAGE } from './prompt-job.ts'
export type { PromptJobOptions } from './prompt-job.ts'
export { DEFAULT_MAX_QUEUE, submitPrompt } from './submit.ts'
export type { PromptState, SentPrompt } from './submit.ts'
export { uploadLimit } from './upload-limit.ts'
