/**
 * Component contract, version 1: the types and names that gateway, bridge and components share.
 *
 * | request | answer |
 * | --- | --- |
 * | `GET /` | a {@link ToolDescription}, an array of them, or an {@link Offer} |
 * | `POST /` (one tool), `POST /{tool}` | body = the arguments; 200 with a {@link ToolResult} |
 * | the same with `Accept: application/x-ndjson` | may answer {@link CallLine}s, the last one ends the call |
 * | the same with `Prefer: respond-async` | may answer 202 `{ job: JobRecord }`, `Location: /jobs/{id}` |
 * | `GET /jobs/{id}`, `DELETE /jobs/{id}` | the refreshed {@link JobRecord}; cancel, then the record |
 * | `GET /outputs/{id}.{ext}` | a file a job made |
 * | `POST /uploads/`, `GET /uploads/{id}` | takes a file of a caller; gives it to another component |
 * | `POST /prompts/{name}` | body = the arguments; 200 with a {@link PromptResult} |
 * | `GET /resources?uri=` | 200 with a {@link ResourceResult} |
 * | `POST /complete` | `{ ref, argument, context? }`; 200 `{ completion: { values, total?, hasMore? } }` |
 *
 * Tools, prompts and resources may answer {@link InputRequired} instead; the repeated request is a `POST` with a
 * {@link CallEnvelope}.
 *
 * Status 404 = no such tool; 4xx with a tool result = that result; anything else = the tool failed.
 *
 * @module
 */
export type * from './api-plan.ts'
export * from './canonical-json.ts'
export * from './event-reader.ts'
export * from './fnv1a.ts'
export * from './headers.ts'
export * from './input-required.ts'
export * from './job.ts'
export * from './job-link.ts'
export * from './json-pointer.ts'
export * from './lines.ts'
export * from './offer.ts'
export * from './pause.ts'
export * from './pins.ts'
export * from './prompt.ts'
export * from './resource.ts'
export * from './skill.ts'
export { soundSchema, type SoundSchema } from './sound-schema.ts'
export * from './tool.ts'
export * from './tool-name.ts'
export * from './upload-id.ts'
export {
  matchesUriTemplate,
  parseUriTemplate,
  splitUriTemplate,
  type TemplateVariables,
  type UriTemplate,
} from './uri-template.ts'
export * from './values.ts'
