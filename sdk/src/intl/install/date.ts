import { date } from '../parts/date.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(date)
