import { relative } from '../parts/relative.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(relative)
