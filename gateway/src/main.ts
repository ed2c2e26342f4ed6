/**
 * The component mcp-gateway. It exports nothing, so the builder takes it as it is: what serves the component contract
 * would be a sixth of the bundle, and the gateway has no use for it.
 *
 * @module
 */
import { rehearse, warmUpBindings } from 'ftl-platform/spin-warm-up'
import { serve } from './serve.ts'
import { createGateway } from './shipped.ts'
import { warmUp } from './warm-up.ts'

// Built once, while the component is built: at run time every request finds it in the snapshot.
const app = createGateway()
await rehearse(() => warmUp(app))
warmUpBindings()
serve(app)
