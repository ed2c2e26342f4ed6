/** In the place of uploads, where no component of the application took any when its gateway was built. */
import type { Feature } from './feature.ts'

export const withoutUploads: Feature = { name: 'without-uploads' }
