import { render } from 'preact'
import { signRefused } from './passkeys/step-up'
import { App } from './shell/app'
import { applyTheme } from './shell/theme'
import { loadLanguage } from './texts/language'

applyTheme()
signRefused()
const root = document.getElementById('app')
// The German texts are loaded before anything is drawn, not swapped in after it.
if (root) void loadLanguage().then(() => render(<App />, root))
