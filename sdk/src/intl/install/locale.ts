import { locale } from '../parts/locale.ts'
import { addToGlobals } from './add-to-globals.ts'

addToGlobals(locale)
