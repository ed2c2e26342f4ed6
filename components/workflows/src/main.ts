/**
 * The component `workflows`: every ComfyUI workflow in `/workflows` is a tool, with the parameters `/config` gives it.
 *
 * Variables: `comfyui_url` (empty: tools answer with the workflow), `comfyui_path`, `comfyui_auth`, `comfyui_client_id`,
 * `upload_max_bytes` (as that of the component `comfyui`, for descriptions; not declared: they tell no size).
 *
 * @module
 */
import { fileRepository } from './file-repository.ts'
import { createWorkflowTools } from './workflow-tools.ts'

export const tools = createWorkflowTools(fileRepository)
