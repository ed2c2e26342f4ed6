/**
 * Runs programs of models. Two walls are around a program: the realm inside this component, from which only texts come
 * out, and the component itself, whose `allowed_outbound_hosts` has the gateway and nothing else.
 */
import * as realm from 'ftl:engine/realm'
import { type FetchEntry, toComponent } from 'ftl-sdk/serve'
import source from './realm/inside.js' with { type: 'text' }
import { runCode } from './run-code.ts'
import { FORM_HEADER, RUN_HEADER } from './run/run-gateway.ts'

/** Of its heap until a run says otherwise; it is a part of the component, which needs far less. */
const BUILD_BYTES = 16 * 2 ** 20

realm.open(`(${source.slice(source.indexOf('function inside'))})`, BUILD_BYTES)

const entry: FetchEntry = {
  fetch(request, platform) {
    const capability = request.headers.get(RUN_HEADER) ?? undefined
    const isSaved = request.headers.get(FORM_HEADER) === 'value'
    return toComponent({ tool: runCode(realm, capability, isSaved) }, 'code').fetch(
      request,
      platform,
    )
  },
}
export default entry
