/** The component `web`: serves the web page at `/` and `/app/...`. It makes no outbound requests. */
import { spinPlatformWithoutFiles } from 'ftl-platform/spin'
import { serveRequests } from 'ftl-platform/spin-serve'
import { warmUpBindings } from 'ftl-platform/spin-warm-up'
import page from './page/index.html'
import redirect from './page/app/oauth/redirect.html'
import sandbox from './page/sandbox/sandbox.html'
import { createSandbox, SANDBOX_PATH } from './apps/sandbox.ts'
import { REDIRECT_PATH } from './sign-in.ts'
import { createSite } from './site.ts'
import { createWeb } from './web.ts'

const web = createWeb({
  page: createSite(page),
  redirect: createSite(redirect, { folder: '/app/oauth/', isKept: false }),
  sandbox: createSandbox(sandbox),
})
// Every request starts from the state after this code, so warm up here what the engine does only once.
const rehearsal = { variables: { get: () => undefined }, randomUUID: () => '' }
for (const path of [
  '/',
  REDIRECT_PATH,
  SANDBOX_PATH,
  ...Object.keys(page.files).map((file) => `/${file}`),
]) {
  await web(new Request(`http://localhost${path}`), rehearsal)
}
warmUpBindings()
serveRequests(web, spinPlatformWithoutFiles)
