import { collator } from '../parts/collator.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(collator)
