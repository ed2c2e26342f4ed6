/**
 * A client for ComfyUI servers of any version since 0.3.45, for code inside a component: no Node API, no
 * WebSocket, `fetch` is given.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_routes
 * @module
 */
export { createComfyClient } from './client.ts'
export type { ComfyClient, ComfyClientOptions } from './client.ts'
export { compare } from './compatibility.ts'
export type { Compatibility, MissingModel } from './compatibility.ts'
export { ComfyError, mapToFields } from './errors.ts'
export type { ComfyErrorDetails, ComfyErrorKind, FieldMapping } from './errors.ts'
export { fileResponse } from './file-response.ts'
export type { ComfyJob, JobState, OutputFile } from './job.ts'
export type { LookOptions } from './look-up.ts'
export { extensionOf, mediaTypeOf } from './media-types.ts'
export { MEDIA_KINDS, mediaFormat } from './media-format.ts'
export type { MediaFormat, MediaKind } from './media-format.ts'
export { describeMissingModel, describeMissingNode, shownName } from './missing.ts'
export { classesOf, toNodeClass } from './nodes.ts'
export type { NodeClass, NodeInput } from './nodes.ts'
export { Interrupted, Pieces, WrongLength } from './pieces.ts'
export { toWebSocketUrl } from './server.ts'
export type { Authentication, ServerOptions } from './server.ts'
export type { SystemStats } from './system-stats.ts'
export { isUploadName } from './upload.ts'
export { HEAD_BYTES, isStoredUpload, uploadFormat } from './upload-stream.ts'
export type { UploadFormat } from './upload-stream.ts'
export { findChoice } from './type-checks.ts'
export type { Submission, Submitted } from './submit.ts'
