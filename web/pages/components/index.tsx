import { PageHead } from '../../parts/page-head'
import { Fields } from './fields'
import { States } from './states'
import { Texts } from './texts'
import { Tokens } from './tokens'
import { Words } from './words'
import './components.css'

/** What there is to build pages of: the tokens of the stylesheet, and every shared component in its states. */
export default function ComponentsPage () {
  return (
    <div class='page'>
      <div data-part='page-head'>
        <PageHead title='Components' actions={<button type='button' class='primary'>An action of the page</button>}>
          The tokens of the stylesheet, and what is in web/parts.
        </PageHead>
      </div>
      <Tokens />
      <h2>In a line</h2><Words />
      <h2>States</h2><States />
      <h2>Fields and buttons</h2><Fields />
      <h2>Data and texts</h2><Texts />
    </div>
  )
}
