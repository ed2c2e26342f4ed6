// The storyboard in Debian's Firefox. A file of its own: it runs beside that of Chromium.
import { playIn } from './storyboard/play.ts'

playIn('firefox')
