/**
 * A client for ComfyUI servers of any version since 0.3.45, for code inside a component: no Node API, no
 * WebSocket, `fetch` is given.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_routes
 * @module
 */
export { createComfyClient } from './client.ts'
export type { ComfyClient, ComfyClientOptions, Submission, Submitted } from './client.ts'
export { ComfyError } from './errors.ts'
export type { ComfyErrorKind } from './errors.ts'
export type { ComfyJob, JobState, OutputFile } from './job.ts'
