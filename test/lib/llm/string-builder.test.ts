import t from '../../tap.js'
import { StringBuilder } from '../../../lib/llm/string-builder.js'

t.test('a text is the sum of its pieces whenever it is read', async (t) => {
  const text = new StringBuilder()
  t.equal(text.isEmpty, true)
  t.equal(text.toString(), '')
  let whole = ''
  for (let pieces = 0; pieces < 50; pieces++) {
    text.add(`${pieces} `)
    whole += `${pieces} `
    if (pieces % 7 === 0) t.equal(text.toString(), whole)
  }
  t.equal(text.toString(), whole)
  t.equal(text.isEmpty, false)
})
