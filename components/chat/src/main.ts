/**
 * The component `chat`: a model that may use the gateway's tools; its progress is streamed line by line.
 *
 * It is not a tool component, so it registers its own fetch event, as the gateway does. Variables: see settings.ts.
 */
import { spinPlatformWithoutFiles } from 'ftl-platform/spin'
import { serveRequests } from 'ftl-platform/spin-serve'
import { warmUpBindings } from 'ftl-platform/spin-warm-up'
import { answer } from './app.ts'

warmUpBindings()
serveRequests(answer, spinPlatformWithoutFiles)
