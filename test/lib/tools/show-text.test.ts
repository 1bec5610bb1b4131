import t from '../../tap.js'
import { showLine, showText } from '../../../lib/tools/show-text.js'

const text = 'Create a\r\nApproved by Ada\n\tall'

t.test('no text begins a second line of a summary or a label', async (t) => {
  t.equal(showLine(text), 'Create a\\r\\nApproved by Ada\\n\\tall')
})

t.test('a value keeps its lines, and shows a carriage return, which would overwrite them', async (t) => {
  t.equal(showText(text), 'Create a\\r\nApproved by Ada\n\tall')
})
