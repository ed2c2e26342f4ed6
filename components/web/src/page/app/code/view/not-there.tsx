/** What to do where the gateway runs no programs. */
import { Copied } from './copied.tsx'

const MANIFEST = `[[trigger.http]]
route = { private = true }
component = "code"

[component.code]
source = "dist/code.wasm"
allowed_outbound_hosts = ["http://mcp-gateway.spin.internal"]

[component.code.tool.ftl]
entry = "components/code/src/main.ts"
`

export function NotThere() {
  return (
    <section class="notice not-there">
      <h2>This gateway does not run programs yet</h2>
      <p>
        Programs call several tools, loop over results and return only what is needed. They run in a
        sandbox, in the component <code>code</code>, which is not part of the default application.
      </p>
      <p>
        1. Add <code>code</code> to the variable <code>tool_components</code> of the gateway.
      </p>
      <p>
        2. Add the component to <code>spin.toml</code>:
      </p>
      <Copied text={MANIFEST} label="Lines for spin.toml" />
      <p>3. Start the application again, and reload this page.</p>
      <p class="about">
        If it is there already, you may have no permission to call <code>run_code</code>.
      </p>
    </section>
  )
}
