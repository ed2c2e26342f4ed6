/** The component `auth`: an OAuth 2.1 authorization server for the gateway of its application. */
import { spinPlatformWithoutFiles } from 'ftl-platform/spin'
import { serveRequests } from 'ftl-platform/spin-serve'
import { warmUpBindings } from 'ftl-platform/spin-warm-up'
import { answer } from './app.ts'

warmUpBindings()
serveRequests(answer, spinPlatformWithoutFiles)
