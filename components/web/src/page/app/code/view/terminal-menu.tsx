/** What the command line does with the same program. */
import { useState } from 'preact/hooks'
import { runCommand, saveCommand } from '../run/command.ts'
import { Copied } from './copied.tsx'
import { Menu } from './menu.tsx'

export function TerminalMenu({ code }: { code: () => string }) {
  return (
    <Menu title="Terminal" icon="code">
      {() => <Panel code={code()} />}
    </Menu>
  )
}

function Panel({ code }: { code: string }) {
  const [name, setName] = useState('my_tool')
  const isName = /^[a-z][a-z0-9_]{0,63}$/.test(name)
  return (
    <>
      <h2>Run it from a terminal</h2>
      <Copied text={runCommand(code, location.origin)} label="Command that runs the program" />
      <h2>Save it as a tool</h2>
      <p class="about">
        Saves the program as a component of your application, with a tool that clients can call.
      </p>
      <label class="line">
        Name
        <input
          class="grow"
          value={name}
          aria-invalid={!isName}
          aria-describedby={isName ? undefined : 'tool-name-problem'}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      {isName ? (
        <Copied text={saveCommand(code, name)} label="Command that saves the program as a tool" />
      ) : (
        <p class="problem" id="tool-name-problem">
          The name must begin with a small letter, and have only small letters, digits and _.
        </p>
      )}
    </>
  )
}
