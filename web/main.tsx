import { render } from 'preact'
import { App } from './shell/app'
import { applyTheme } from './shell/theme'

applyTheme()
const root = document.getElementById('app')
if (root) render(<App />, root)
