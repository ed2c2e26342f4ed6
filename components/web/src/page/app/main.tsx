/** Where the page begins. */
import { render } from 'preact'
import { App } from './app.tsx'
import { openConversation } from './chat/tab-conversations.ts'
import { loadModel } from './chat/settings.ts'
import { startFollowing } from './jobs/follow.ts'
import { loadComponents, loadTools } from './net/tools.ts'
import { isSignedIn, session } from './sign-in/session.ts'
import { finishHere } from './sign-in/sign-in.ts'
import { startTheme } from './theme.ts'

startTheme()
await openConversation()
const root = document.querySelector('#page')
if (root) render(<App />, root)
startFollowing()
await finishHere()
void loadModel()
void loadTools()
let wasSignedIn = isSignedIn()
session.subscribe(() => {
  const isIn = isSignedIn()
  if (isIn && !wasSignedIn) {
    void loadModel()
    void loadTools()
    void loadComponents()
  }
  wasSignedIn = isIn
})
// What could not be had without a network is asked for again.
addEventListener('online', () => {
  void loadModel()
  void loadTools()
})
