import { randomBytes } from 'node:crypto'
import t from '../../tap.js'
import { decodeBase64 } from '../../../lib/http/text.js'

t.test('what is base64 is decoded, with its padding and without', async (t) => {
  for (const size of [1, 2, 3, 4, 5, 255, 256]) {
    const bytes = randomBytes(size)
    const text = bytes.toString('base64')
    t.same([decodeBase64(text), decodeBase64(text.replace(/=+$/, ''))], [bytes, bytes], `${size} bytes`)
  }
  t.equal(decodeBase64('A'.repeat(20_000_000))?.length, 15_000_000)
})

t.test('what is not is refused, wherever the wrong letter stands', async (t) => {
  for (const text of ['', '=', '==', 'A', 'AAAAA', 'not base64!', 'QUJD\nQUJD', 'QUJ-', 'QUJ_', 'QU=D', 'QUI===', 'é'.repeat(4)]) {
    t.equal(decodeBase64(text), undefined, JSON.stringify(text))
  }
  t.equal(decodeBase64(`${'A'.repeat(4_000_000)}!${'A'.repeat(3)}`), undefined)
})
