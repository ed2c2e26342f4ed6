import { values } from '../parts/values.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(values)
