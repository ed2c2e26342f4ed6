import { segmenter } from '../parts/segmenter.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(segmenter)
