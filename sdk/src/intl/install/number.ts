import { number } from '../parts/number.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(number)
