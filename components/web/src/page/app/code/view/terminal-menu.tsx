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
  const [name, setName] = useState('my-tool')
  const [description, setDescription] = useState('')
  const isName = name.length <= 50 && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)
  return (
    <>
      <h2>Run it from a terminal</h2>
      <Copied text={runCommand(code, location.origin)} label="Command that runs the program" />
      <h2>Save it as a tool</h2>
      <p class="about">
        Run this in the folder of your application. The program finds the arguments of the tool in
        its variable <code>input</code>.
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
      <label class="line">
        What it does
        <input
          class="grow"
          value={description}
          maxLength={500}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </label>
      {isName ? (
        <Copied
          text={saveCommand(code, { name, description }, location.origin)}
          label="Command that saves the program as a tool"
        />
      ) : (
        <p class="problem" id="tool-name-problem">
          The name must have small letters, digits and single hyphens, and begin with a letter.
        </p>
      )}
    </>
  )
}
