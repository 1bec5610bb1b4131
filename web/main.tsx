import { render } from 'preact'
import { signRefused } from './passkeys/step-up'
import { App } from './shell/app'
import { applyTheme } from './shell/theme'

applyTheme()
signRefused()
const root = document.getElementById('app')
if (root) render(<App />, root)
