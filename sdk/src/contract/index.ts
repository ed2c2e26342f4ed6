/**
 * Component contract, version 1: the types and names that gateway, bridge and components share.
 *
 * | request | answer |
 * | --- | --- |
 * | `GET /` | a {@link ToolDescription}, an array of them, or `{ tools }` |
 * | `POST /` (one tool), `POST /{tool}` | body = the arguments; 200 with a {@link ToolResult} |
 * | the same with `Prefer: respond-async` | may answer 202 `{ job: JobRecord }`, `Location: /jobs/{id}` |
 * | `GET /jobs/{id}`, `DELETE /jobs/{id}` | the refreshed {@link JobRecord}; cancel, then the record |
 * | `GET /outputs/{id}.{ext}` | a file a job made |
 *
 * Status 404 = no such tool; 4xx with a tool result = that result; anything else = the tool failed.
 *
 * @module
 */
export * from './headers.ts'
export * from './job.ts'
export * from './tool.ts'
