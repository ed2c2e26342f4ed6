// The main flows of each role, by the keyboard alone, at three widths, light and dark. `storyboard-firefox` is the same.
import { playIn } from './storyboard/play.ts'

playIn('chromium')
