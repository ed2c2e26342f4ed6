import { list } from '../parts/list.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(list)
