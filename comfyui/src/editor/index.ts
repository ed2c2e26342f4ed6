/**
 * Workflows in the format of the ComfyUI editor, converted to the API format.
 *
 * @module
 */
export { editorClasses, toApiFormat } from './convert.ts'
export { ConversionError } from './error.ts'
export type { ApiNode, Converted } from './convert.ts'
export { isEditorFormat } from './format.ts'
export { editorModels } from './models.ts'
export type { EditorModel } from './models.ts'
export type { ObjectInfo } from './widgets.ts'
