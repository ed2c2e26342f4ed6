/** Inputs of ComfyUI's own nodes that load a file, where no server says so. */
import type { FieldType } from './field.ts'

const LOADERS: Readonly<Record<string, FieldType>> = {
  'LoadImage.image': 'image',
  'LoadImageMask.image': 'image',
  'LoadImageOutput.image': 'image',
  'LoadVideo.file': 'video',
  'LoadAudio.audio': 'audio',
  'Load3D.model_file': 'model3d',
  'Load3DAdvanced.model_file': 'model3d',
}

export function loaderOf(classType: string, inputName: string): FieldType | undefined {
  const key = `${classType}.${inputName}`
  return Object.hasOwn(LOADERS, key) ? LOADERS[key] : undefined
}
