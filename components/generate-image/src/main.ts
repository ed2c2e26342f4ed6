/**
 * The component `generate-image`: makes images with ComfyUI.
 *
 * Mounts: render types, styles and servers at `/config`, workflows at `/workflows`. Variables: `comfyui_url`,
 * `comfyui_path` and `comfyui_auth` where `servers.json` names no server, and the keys it names.
 */
import { imageTools } from './tools.ts'
import { inline } from './viewer/resources.ts'
import page from './viewer/page/viewer.html'

export const tools = imageTools(inline(page))
