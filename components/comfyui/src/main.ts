/**
 * The component `comfyui`: uploads to ComfyUI, lists what it has, and reports how busy it is.
 *
 * Variables: `comfyui_url` (empty: no tools), `comfyui_path`, `comfyui_auth`, `comfyui_client_id`, `comfyui_api_key`, `image_hosts`,
 * `image_components`, `comfyui_free_memory` and `comfyui_run_workflow` (both turn on the tool of that name).
 *
 * @module
 */
export { tools } from './tools.ts'
